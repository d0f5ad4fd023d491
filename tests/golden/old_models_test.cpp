// SPDX-License-Identifier: Apache-2.0
// Models of polyrx 0.1.0 stay readable and keep their meaning. Nothing rewrites these files: if one of them fails,
// models of users fail too. Those of format 1, model_fast.json and model_paper.json, were made by same_bytes_test.cpp;
// those of format 4 from the rows of `polyrx simulate clinic -n 300 --seed 3`, whose column metabolizer was metaboliser
// then:
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

#include <algorithm>
#include <fstream>
#include <sstream>

#include "polyrx/fit/provenance_options.hpp"
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
    content << std::ifstream(std::string(POLYRX_GOLDEN_FOLDER) + "/version_0.1.0/" + name, std::ios::binary).rdbuf();
    return {content.str(), parse_model(content.str(), name)};
}

// The rows of `polyrx simulate clinic -n 8 --seed 7`, as polyrx 0.1.0 named their columns.
Table old_clinic() {
    const Table table = simulate_clinic({.rows = 8, .seed = 7});
    std::vector<Column> columns = table.columns();
    std::ranges::find(columns, "metabolizer", &Column::name)->name = "metaboliser";
    return Table(std::move(columns), table.source());
}

// "10 mg by support", for each row of old_clinic().
std::vector<std::string> prescribed_by(const Policy& policy) {
    const Prescriptions given = prescribe(policy, old_clinic(), {.reasons = true});
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

TEST(OldModels, OfFormat1AreReadAndWrittenAgainWithTheSameBytes) {
    for (const char* name : {"model_fast.json", "model_paper.json"}) {
        const OldModel model = old_model(name);
        EXPECT_NE(model.text.find("\"format_version\": 1"), std::string::npos);
        EXPECT_EQ(to_json(model.policy), model.text);
        EXPECT_FALSE(model.policy.rules.support);
        EXPECT_FALSE(model.policy.recommendation);
        for (const std::string& words : prescribed_by(model.policy)) EXPECT_TRUE(words.ends_with(" by outcome"));
    }
}

TEST(OldModels, SayHowTheirNetworksAreTrainedAgain) {
    const auto options_of = [](const char* name) {
        return network_options_of(old_model(name).policy.provenance).value().front();
    };
    const NetworkOptions fast = options_of("model_fast.json");
    EXPECT_EQ(fast.outcome_scale, OutcomeScale::standardized);
    EXPECT_EQ(fast.effects.decay, 0.5);
    const NetworkOptions paper = options_of("model_paper.json");
    EXPECT_EQ(paper.outcome_scale, OutcomeScale::raw);
    EXPECT_EQ(paper.hidden, (std::vector<int>{6, 4}));
    EXPECT_EQ(options_of("model_logistic_support.json").hidden, std::vector<int>{3});
}

}  // namespace
}  // namespace polyrx
