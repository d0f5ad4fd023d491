// SPDX-License-Identifier: Apache-2.0
// Models of format 4 stay readable and keep their meaning. Nothing rewrites these files: if one of them fails, models
// of users fail too. They were made by polyrx 0.1.0, from the rows of `polyrx simulate clinic -n 300 --seed 3`:
//
//   options="--treatment treatment --outcome outcome --hidden 3 --epochs 30 --fallback none"
//   polyrx fit cohort.csv $options --test-fraction 0.3 -o model_logistic_support.json
//   polyrx fit wards.csv $options --group ward --test-fraction 0.25 -o model_tree_support.json
//
// where wards.csv has other treatments, which follow whether systolic_bp is usual, and groups:
//
//   awk -F, -v OFS=, 'NR == 1 { print $0, "ward" } NR > 1 { usual = $6 == "NA" || ($6 > 118 && $6 < 138);
//     $11 = usual == (NR % 25 > 0) ? "20 mg" : "5 mg"; print $0, "w" NR % 40 }' cohort.csv > wards.csv
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx {
namespace {

struct OldModel {
    std::string text;
    Policy policy;
};

OldModel old_model(const std::string& name) {
    std::ostringstream content;
    content << std::ifstream(std::string(POLYRX_GOLDEN_FOLDER) + "/" + name, std::ios::binary).rdbuf();
    return {content.str(), parse_model(content.str(), name)};
}

// "10 mg by support", for the rows of `polyrx simulate clinic -n 8 --seed 7`.
std::vector<std::string> prescribed_by(const Policy& policy) {
    const Prescriptions given = prescribe(policy, simulate_clinic({.rows = 8, .seed = 7}), {.reasons = true});
    std::vector<std::string> words;
    for (std::size_t i = 0; i < given.treatment.size(); ++i)
        words.push_back(policy.treatments[static_cast<std::size_t>(given.treatment[i])] + " by " +
                        std::string(name_of(given.reasons[i])));
    return words;
}

void expect_all_of_format_4(const OldModel& model) {
    EXPECT_NE(model.text.find("\"format_version\": 4"), std::string::npos);
    EXPECT_EQ(to_json(model.policy), model.text);
    EXPECT_TRUE(model.policy.rules.support);
    ASSERT_TRUE(model.policy.recommendation);
    EXPECT_FALSE(model.policy.recommendation->recommended);
    EXPECT_TRUE(model.policy.recommendation->sentence.starts_with("NOT recommended: "));
    ASSERT_TRUE(model.policy.provenance.sketch);
}

TEST(OldModels, OfFormat4WithALogisticSupportAreReadAndWrittenAgainWithTheSameBytes) {
    const OldModel model = old_model("model_logistic_support.json");
    expect_all_of_format_4(model);
    EXPECT_EQ(kind_of(*model.policy.rules.support), "logistic");
    EXPECT_EQ(most_terms(*model.policy.rules.support), 4U);
    EXPECT_EQ(model.policy.provenance.split.by, SplitBy::features);
    EXPECT_EQ(model.policy.provenance.rows, 198U);
    EXPECT_EQ(
        prescribed_by(model.policy),
        (std::vector<std::string>{"10 mg by outcome", "10 mg by outcome", "10 mg by outcome", "10 mg by outcome",
                                  "10 mg by outcome", "10 mg by support", "5 mg by outcome", "10 mg by outcome"}));
}

TEST(OldModels, OfFormat4WithATreeSupportAreReadAndWrittenAgainWithTheSameBytes) {
    const OldModel model = old_model("model_tree_support.json");
    expect_all_of_format_4(model);
    EXPECT_EQ(kind_of(*model.policy.rules.support), "tree");
    EXPECT_EQ(model.policy.provenance.split.by, SplitBy::group);
    EXPECT_EQ(model.policy.provenance.rows, 248U);
    EXPECT_EQ(prescribed_by(model.policy),
              (std::vector<std::string>{"20 mg by outcome", "20 mg by support", "5 mg by support", "5 mg by support",
                                        "5 mg by support", "5 mg by outcome", "20 mg by outcome", "20 mg by outcome"}));
}

}  // namespace
}  // namespace polyrx
