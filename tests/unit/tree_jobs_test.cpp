// SPDX-License-Identifier: Apache-2.0
// The jobs of the program as functions of the library.
#include <gtest/gtest.h>

#include "polyrx/api/list_regions.hpp"
#include "polyrx/api/make_tree.hpp"
#include "polyrx/api/prune_model.hpp"
#include "polyrx/api/rules_report.hpp"
#include "polyrx/api/verify_claims.hpp"
#include "polyrx/api/verify_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx {
namespace {

Rules rules_of(std::string_view text) {
    return parse_rules_file(text, "rules");
}

// A clinic and a network of two neurons for it, fitted once.
struct Clinic {
    Table table = simulate_clinic({.rows = 400});
    Policy policy =
        fit(observe(table, {.treatment = "treatment", .outcome = "outcome"}, clinic_schema()), options()).policy;

    static FitOptions options() {
        FitOptions options;
        options.network.hidden = {2};
        options.network.epochs = 10;
        options.support.reset();
        return options;
    }
};

const Clinic& clinic() {
    static const Clinic clinic;
    return clinic;
}

TEST(MakeTree, CountsRowsAndIsVerified) {
    const MadeTree made = make_tree(clinic().policy, &clinic().table);
    EXPECT_EQ(made.tree.tree.rows, 400U);
    const TreeVerification verification = verify_tree(clinic().policy, made.tree);
    EXPECT_EQ(verification.failure, "");
    EXPECT_TRUE(json_of(verification, made.tree).find("proved")->truth());
    const MadeTree again = make_tree(made.tree, nullptr);
    EXPECT_EQ(again.tree.tree.nodes, made.tree.tree.nodes);
    EXPECT_THROW((void)make_tree(made.tree, nullptr, {.leaves = 3}), Error);
}

TEST(MakeTree, IsDrawnInFourFormats) {
    const MadeTree made = make_tree(clinic().policy, &clinic().table);
    for (const auto& [format, begins] :
         {std::pair{TreeFormat::text, "Which treatment"}, std::pair{TreeFormat::json, "{"},
          std::pair{TreeFormat::dot, "digraph"}, std::pair{TreeFormat::svg, "<svg"}}) {
        std::string text;
        const auto summary = draw_tree(made, [&](std::string_view piece) { text += piece; }, {.format = format});
        EXPECT_TRUE(text.starts_with(begins)) << text.substr(0, 40);
        EXPECT_TRUE(summary.front().ends_with("leaf shares from 400 rows.")) << summary.front();
    }
}

TEST(VerifyTree, ProvesNothingWithoutCertificates) {
    MadeTree made = make_tree(clinic().policy, &clinic().table, {.mode = ExtractMode::supported});
    for (Node& node : made.tree.tree.nodes)
        if (auto* leaf = std::get_if<Leaf>(&node.what)) leaf->certificate.reset();
    const TreeVerification verification = verify_tree(clinic().policy, made.tree, {.tree_name = "tree.json"});
    EXPECT_EQ(verification.failure, "tree.json: no leaf of the tree has a certificate, so nothing is proved");
    EXPECT_FALSE(json_of(verification, made.tree).find("proved")->truth());
}

TEST(VerifyTree, RefusesTheTreeOfAnotherModel) {
    const MadeTree made = make_tree(clinic().policy, nullptr);
    Policy other = clinic().policy;
    other.outcome_name = "other";
    EXPECT_THROW((void)verify_tree(other, made.tree), Error);
}

TEST(VerifyClaims, DecidesEachClaim) {
    const DecidedClaims decided =
        verify_claims(clinic().policy, rules_of("if age > 50 and age < 40 then 5 mg\nif age >= 18 then not 5 mg\n"
                                                "if age >= 18 then not 10 mg\nif age >= 18 then not 20 mg\n"));
    ASSERT_EQ(decided.claims.size(), 4U);
    EXPECT_EQ(decided.claims[0].answer.verdict, Verdict::proved);
    EXPECT_GE(decided.count(Verdict::refuted), 1U);  // some treatment is prescribed to somebody
    for (const DecidedClaim& claim : decided.claims)
        EXPECT_EQ(claim.broken_by.has_value(), claim.answer.verdict == Verdict::refuted);
    EXPECT_TRUE(text_of(decided).starts_with("if age > 50 and age < 40 then 5 mg\n  proved, in "));
    EXPECT_EQ(json_of(decided).find("claims")->items().size(), 4U);
    EXPECT_THROW((void)verify_claims(clinic().policy, rules_of("# none\n")), Error);
}

TEST(RulesReport, FindsNoFalseConflictWhereTreatmentsAreNotKnown) {
    const Rules rules = rules_of("if age > 60 then not 5 mg\n");
    const RulesReport unknown = report_on_rules(clinic().table, clinic_schema(), "", rules);
    EXPECT_EQ(unknown.failure, "");
    EXPECT_FALSE(unknown.treatments_known);
    EXPECT_FALSE(json_of(unknown).find("certain")->truth());
    const RulesReport known = report_on_rules(clinic().table, clinic_schema(), "treatment", rules);
    EXPECT_TRUE(json_of(known).find("certain")->truth());
    EXPECT_EQ(known.touched, unknown.touched);
    const Rules conflict = rules_of("if age > 60 then 5 mg\nif age > 70 then 10 mg\n");
    for (const char* treatment : {"", "treatment"})
        EXPECT_TRUE(report_on_rules(clinic().table, clinic_schema(), treatment, conflict)
                        .failure.starts_with("rules: rules 1 and 2 leave no treatment for a row such as age "));
}

TEST(RulesReport, CountsRowsForAModel) {
    const RulesReport report = report_on_rules(clinic().policy, &clinic().table, rules_of("if age > 0 then 5 mg\n"));
    EXPECT_EQ(report.touched, std::vector<std::size_t>{400});
    EXPECT_TRUE(text_of(report).ends_with("no conflict: whatever the row, some treatment is allowed\n"));
}

TEST(PruneModel, SaysWhatIsRemovedAndChangesNothingInTheDomain) {
    const PrunedModel pruned = prune_model(clinic().policy, &clinic().table);
    EXPECT_EQ(pruned.before.size(), pruned.after.size());
    EXPECT_EQ(pruned.inside.rows, 400U);
    EXPECT_EQ(pruned.inside.prescriptions, 0U);
    EXPECT_TRUE(pruned.warnings.empty());
    EXPECT_NE(text_of(pruned).find("400 rows of the domain: 0 prescriptions changed"), std::string::npos);
    EXPECT_EQ(json_of(pruned, "p.json").find("model")->text(), "p.json");
}

TEST(ListRegions, CountsAndListsWhatRowsVisit) {
    const RegionRows rows{clinic().table, {}};
    const RegionsQuery query = query_regions(clinic().policy, &rows, {.threads = 1});
    EXPECT_EQ(query.which, WhichRegions::visited);
    const std::size_t patterns = count_patterns(clinic().policy, query);
    EXPECT_TRUE(count_text(query, patterns).ends_with(" visited by 400 rows\n"));
    std::string text;
    std::string json;
    const std::size_t listed =
        write_regions_text(clinic().policy, query, [&](std::string_view piece) { text += piece; });
    EXPECT_EQ(listed, write_regions_json(clinic().policy, query, [&](std::string_view piece) { json += piece; }));
    EXPECT_GE(listed, patterns);
    EXPECT_TRUE(text.starts_with("region 1: "));
    EXPECT_TRUE(json.starts_with("{\"mode\": \"visited\",\n"));
    EXPECT_THROW((void)query_regions(clinic().policy, nullptr, {.which = WhichRegions::visited}), Error);
}

TEST(ListRegions, LeavesOutRowsThatTheDomainDoesNotHave) {
    const RegionRows rows{clinic().table, {}};
    const RegionsQuery query = query_regions(clinic().policy, &rows, {.domain = {"age=30:50"}});
    EXPECT_GT(query.rows_outside, 0U);
    EXPECT_EQ(query.rows_outside + static_cast<std::size_t>(query.rows.rows()), 400U);
    ASSERT_EQ(query.warnings.size(), 1U);
}

}  // namespace
}  // namespace polyrx
