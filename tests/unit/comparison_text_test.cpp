// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/comparison_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "polyrx/core/json/parse_json.hpp"

namespace polyrx {
namespace {

using Figures = std::vector<std::optional<double>>;

CandidateScores scores(const std::string& name, std::optional<double> SplitScore::* figure, const Figures& figures) {
    CandidateScores candidate;
    candidate.name = name;
    for (const std::optional<double>& value : figures) {
        candidate.splits.emplace_back();
        candidate.splits.back().*figure = value;
    }
    return candidate;
}

Comparison comparison_of(std::vector<CandidateScores> candidates) {
    Comparison comparison;
    comparison.rows = 100;
    comparison.treatments = 2;
    comparison.plan = Folds{2};
    comparison.splits.resize(2);
    comparison.candidates = std::move(candidates);
    return comparison;
}

// The first cell of each line behind the titles.
std::vector<std::string> order_of(const std::string& csv) {
    std::istringstream lines(csv);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(',')));
    names.erase(names.begin());
    return names;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

TEST(ComparisonText, WithTruthTheLeastRegretComesFirst) {
    Comparison comparison = comparison_of({scores("a", &SplitScore::regret, {2.0, 4.0}),
                                           scores("b", &SplitScore::regret, {std::nullopt, 0.0}),
                                           scores("c", &SplitScore::regret, {1.0, 1.0})});
    comparison.has_truth = true;
    comparison.candidates[0].splits[0].accuracy = comparison.candidates[0].splits[1].accuracy = 1;
    for (const Objective objective : {Objective::min, Objective::max}) {
        comparison.objective = objective;
        EXPECT_EQ(order_of(comparison_csv(comparison, Times::left_out)), (std::vector<std::string>{"c", "a", "b"}));
    }
    EXPECT_TRUE(
        first_line(comparison_csv(comparison, Times::left_out)).starts_with("method,regret,regret_se,accuracy"));
}

TEST(ComparisonText, WithoutTruthTheBestDoublyRobustValueComesFirst) {
    Comparison comparison = comparison_of({scores("a", &SplitScore::doubly_robust, {2.0, 4.0}),
                                           scores("b", &SplitScore::doubly_robust, {std::nullopt, 0.0}),
                                           scores("c", &SplitScore::doubly_robust, {1.0, 1.0})});
    EXPECT_EQ(order_of(comparison_csv(comparison, Times::left_out)), (std::vector<std::string>{"c", "a", "b"}));
    comparison.objective = Objective::max;
    EXPECT_EQ(order_of(comparison_csv(comparison, Times::left_out)), (std::vector<std::string>{"a", "c", "b"}));
    EXPECT_TRUE(first_line(comparison_csv(comparison, Times::left_out)).starts_with("method,doubly_robust_value,"));
}

TEST(ComparisonText, TheDifferenceToTheBestSingleTreatmentIsPairedBySplit) {
    const Comparison comparison = comparison_of({scores("a", &SplitScore::doubly_robust, {2.0, 5.0}),
                                                 scores("constant", &SplitScore::doubly_robust, {3.0, 7.0})});
    const std::string csv = comparison_csv(comparison, Times::left_out);
    EXPECT_NE(first_line(csv).find(",doubly_robust_value_minus_constant,doubly_robust_value_minus_constant_se,"),
              std::string::npos);
    const auto score = mean_difference(comparison.candidates[0], comparison.candidates[1],
                                       [](const SplitScore& split) { return split.doubly_robust; });
    EXPECT_DOUBLE_EQ(score->mean, -1.5);
    EXPECT_DOUBLE_EQ(*score->standard_error, 0.5);  // far less than that of either value
    const Json json = parse_json(comparison_json(comparison, Times::left_out), "comparison");
    const std::vector<Json>& methods = json.find("methods")->items();
    EXPECT_DOUBLE_EQ(methods[0].find("doubly_robust_value_minus_constant")->number(), -1.5);
    EXPECT_TRUE(methods[1].find("doubly_robust_value_minus_constant")->is_null()) << "it is the reference";
}

TEST(ComparisonText, WithoutTheBestSingleTreatmentThereIsNoDifferenceToIt) {
    const Comparison comparison = comparison_of({scores("a", &SplitScore::doubly_robust, {2.0, 5.0})});
    EXPECT_EQ(comparison_text(comparison, Times::left_out).find("minus constant"), std::string::npos);
}

TEST(ComparisonText, LargeValuesAreWrittenInFull) {
    const Comparison comparison = comparison_of({scores("a", &SplitScore::doubly_robust, {24'080.0, 24'080.0})});
    EXPECT_NE(comparison_text(comparison, Times::left_out).find("  24,080  "), std::string::npos);
}

}  // namespace
}  // namespace polyrx
