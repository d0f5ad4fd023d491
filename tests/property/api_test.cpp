// SPDX-License-Identifier: Apache-2.0
// The jobs of the program as functions: from values to values.
#include <gtest/gtest.h>

#include <numeric>

#include "polyrx/api/compare_methods.hpp"
#include "polyrx/api/constrain_policy.hpp"
#include "polyrx/api/distill_policy.hpp"
#include "polyrx/api/evaluate_policy.hpp"
#include "polyrx/api/fit_policy.hpp"
#include "polyrx/api/prescribe_rows.hpp"
#include "polyrx/api/score_policy.hpp"
#include "polyrx/api/simulate_study.hpp"
#include "polyrx/core/json/parse_json.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

const Roles roles = {.treatment = "treatment", .outcome = "outcome"};

DataText text_of_table(const Table& table) {
    DataText data{.name = "rows.csv", .bytes = {}};
    write_csv(table, [&](std::string_view part) { data.bytes += part; });
    return data;
}

// A clinic's rows with the truth, as a file has them.
const DataText& clinic() {
    static const DataText data = text_of_table(simulate_study("clinic", {}, {.rows = 500, .seed = 3, .truth = true}));
    return data;
}

FitPolicyOptions quick_fit() {
    FitPolicyOptions options;
    options.fit.network.hidden = {6};
    options.fit.network.epochs = 4;
    options.fit.test_fraction = 0.4;
    return options;
}

PolicyFit fitted_on(const std::vector<std::string>& features, const FitPolicyOptions& options = quick_fit()) {
    Roles chosen = roles;
    chosen.features = features;
    return fit_policy(observed_rows(clinic(), chosen, clinic_schema()), options);
}

PolicySource source_of(Policy policy, const std::string& name) {
    return {.text = name, .file = std::move(policy)};
}

EvaluatePolicyOptions quick_evaluation() {
    EvaluatePolicyOptions options;
    options.evaluation.nuisances.outcome_trees = 10;
    options.evaluation.nuisances.propensity.trees = 10;
    options.evaluation.draws = 0;
    return options;
}

std::string bytes_of(const Policy& policy) {
    std::string bytes;
    write_model(policy, [&](std::string_view part) { bytes += part; });
    return bytes;
}

TEST(FitPolicy, IsTheFitOfTheLibraryWithTheHeldOutRowsAsTheyWere) {
    const ObservedRows rows = observed_rows(clinic(), roles, clinic_schema());
    EXPECT_FALSE(rows.notes.empty()) << "the truth is left out of the features";
    const PolicyFit fitted = fit_policy(rows, quick_fit());
    EXPECT_EQ(bytes_of(fitted.policy()), bytes_of(fit(rows.observations, quick_fit().fit, rows.schema).policy));
    const Table held_out = held_out_rows(clinic(), rows, fitted.fit);
    EXPECT_EQ(held_out.rows(), fitted.fit.held_out.size());
    EXPECT_EQ(held_out.columns().size(), parse_csv(clinic().bytes, "rows.csv").columns().size());
    ASSERT_FALSE(fitted.notes.empty());
    EXPECT_NE(fitted.notes.front().find("held out for polyrx evaluate"), std::string::npos);
    const Json json = json_of(fitted, "model.json");
    EXPECT_EQ(json.find("held_out")->whole<std::size_t>(), held_out.rows());
    EXPECT_EQ(json.find("model")->text(), "model.json");
}

TEST(FitPolicy, WithALeafBudgetCountsWhatTheTreePrescribes) {
    FitPolicyOptions options = quick_fit();
    options.leaves = 3;
    const PolicyFit fitted = fitted_on({"age", "egfr"}, options);
    ASSERT_TRUE(fitted.distilled);
    EXPECT_EQ(&fitted.policy(), &fitted.distilled->tree.policy);
    EXPECT_EQ(std::accumulate(fitted.fit.prescribed.begin(), fitted.fit.prescribed.end(), std::size_t{0}),
              500 - fitted.fit.held_out.size());
    EXPECT_NE(json_of(fitted, "m").find("distilled"), nullptr);
}

TEST(EvaluatePolicy, TakesTheHeldOutRowsAndIsTheSameTwice) {
    const PolicyFit fitted = fitted_on({});
    const PolicySource policy = source_of(fitted.policy(), "model.json");
    const PolicyEvaluation evaluated = evaluate_policy(policy, nullptr, clinic(), quick_evaluation());
    EXPECT_EQ(evaluated.evaluation.rows, fitted.fit.held_out.size());
    EXPECT_TRUE(evaluated.evaluation.held_out);
    const std::string json = json_text_of(evaluated);
    EXPECT_EQ(json, json_text_of(evaluate_policy(policy, nullptr, clinic(), quick_evaluation())));
    EXPECT_EQ(parse_json(json, "evaluation").find("rows")->whole<std::size_t>(), evaluated.evaluation.rows);
    EXPECT_EQ(text_of(evaluated).find("NOT recommended"), std::string::npos) << "it was not compared";
}

TEST(EvaluatePolicy, ComparesWithAModelOfOtherFeaturesByItsOwnSchema) {
    const PolicySource policy = source_of(fitted_on({"age", "egfr"}).policy(), "one.json");
    const PolicySource other = source_of(fitted_on({"sex", "weight"}).policy(), "other.json");
    const PolicyEvaluation evaluated = evaluate_policy(policy, &other, clinic(), quick_evaluation());
    ASSERT_FALSE(evaluated.evaluation.compared.empty());
    EXPECT_EQ(evaluated.warnings.size(), 1U) << "rows are held out by a hash of their features, which differ";
    EXPECT_EQ(evaluated.evaluation.compared.back().name, "other.json");

    const std::vector<std::string> some = {"age", "egfr", "weight", "treatment", "outcome"};
    const DataText fewer = text_of_table(parse_csv(clinic().bytes, "rows.csv").select(some));
    EXPECT_EQ(
        test::sentence_of(ErrorKind::data, [&] { (void)evaluate_policy(policy, &other, fewer, quick_evaluation()); }),
        "other.json needs the column 'sex', and rows.csv has none");
}

TEST(EvaluatePolicy, WarnsOfAPolicyThatMayHaveLearnedFromTheRows) {
    const PolicySource policy = source_of(fitted_on({"age"}).policy(), "one.json");
    FitPolicyOptions all_rows = quick_fit();
    all_rows.fit.test_fraction = 0;
    const PolicySource whole = source_of(fitted_on({"age"}, all_rows).policy(), "whole.json");
    const PolicyEvaluation evaluated = evaluate_policy(policy, &whole, clinic(), quick_evaluation());
    ASSERT_EQ(evaluated.warnings.size(), 1U);
    EXPECT_TRUE(evaluated.warnings.front().starts_with("whole.json was not fitted with the same rows held out"));
}

TEST(ScorePolicy, IsForModelsAndNamesWhatItScored) {
    const PolicySource policy = source_of(fitted_on({}).policy(), "model.json");
    const PolicyScore score = score_policy(policy, clinic(), {"y0", "y1", "y2"}, {});
    EXPECT_EQ(score.truth.rows, 500U);
    EXPECT_EQ(json_of(score).find("always")->items().size(), 3U);
    EXPECT_EQ(score.notes.size(), 1U) << "also rows that were learned from";
    EXPECT_EQ(text_of(score).substr(0, 27), "500 rows with known truth\n ");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage,
                                [&] { (void)score_policy({.text = "always:x", .always = "x"}, clinic(), {"y0"}, {}); }),
              "--truth is for a model or a tree, not for always: or column:");
}

TEST(PrescribeRows, HasOneRowForEachOfTheFileAndCountsThem) {
    const ModelOrTree policy = fitted_on({}).policy();
    const PrescribedRows prescribed =
        prescribe_rows(policy, clinic(), {.prescribe = {.outcomes = true, .reasons = true}, .keep = {"age"}});
    EXPECT_EQ(prescribed.table.rows(), 500U);
    EXPECT_EQ(prescribed.table.columns().front().name, "age");
    EXPECT_EQ(prescribed.table.columns().back().name, "reason");
    EXPECT_EQ(std::accumulate(prescribed.counts.begin(), prescribed.counts.end(), std::size_t{0}), 500U);
    EXPECT_EQ(prescribed.failure, "");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage,
                                [&] { (void)prescribe_rows(policy, clinic(), {.keep = {"prescription"}}); }),
              "--keep: the column 'prescription' would stand beside the one that prescribe writes");
}

TEST(ConstrainPolicy, CountsThePrescriptionsThatTheRulesChange) {
    const Policy policy = fitted_on({}).policy();
    const Rules rules = parse_rules("if egfr < 40 then not 20 mg\n", "rules.txt");
    const Table rows = parse_for(policy, clinic(), {}, {});
    const ConstrainedPolicy constrained = constrain_policy(policy, rules, "rules.txt", {.rows = &rows});
    ASSERT_TRUE(constrained.change);
    std::size_t changed = 0;
    const auto before = prescribe(policy, rows).treatment;
    const auto after = prescribe(constrained.policy, rows).treatment;
    for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i] ? 1 : 0;
    EXPECT_EQ(constrained.change->changed, changed);
    EXPECT_EQ(json_of(constrained, "m").find("changed")->whole<std::size_t>(), changed);
    EXPECT_FALSE(constrain_policy(policy, rules, "rules.txt", {}).change);
}

TEST(DistillPolicy, RefusesWhatIsNoModel) {
    EXPECT_EQ(test::sentence_of(ErrorKind::usage,
                                [] { (void)distill_policy({.text = "always:a", .always = "a"}, clinic(), {}); }),
              "always:a: only a model can be distilled");
}

TEST(CompareMethods, TellsWhatIsFinished) {
    const Study study = compared_study(clinic(), {.roles = roles}, {"y0", "y1", "y2"}, std::nullopt);
    std::vector<std::string> notes;
    const Comparison comparison =
        compare_methods(study, {.methods = {"rc-lr", "observed"}, .compare = {.plan = Folds{2}}},
                        {.note = [&](const std::string& note) { notes.push_back(note); }});
    EXPECT_TRUE(comparison.has_truth);
    EXPECT_TRUE(failures_of(comparison).empty());
    ASSERT_EQ(notes.size(), study.observations.notes.size() + 2);
    EXPECT_TRUE(notes.back().find(": 2 splits, accuracy ") != std::string::npos) << notes.back();
}

TEST(SimulateStudy, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(simulate_study("1", {}, {.rows = 20}).rows(), 20U);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [] { (void)simulate_study("7", {}, {}); }),
              "'7' is no dataset: expected 1 to 6, custom or clinic");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [] { (void)simulate_study("custom", {}, {}); }),
              "custom needs --functions: a base and one or two effects, as f3,f2");
}

}  // namespace
}  // namespace polyrx
