// SPDX-License-Identifier: Apache-2.0
// Rows held out by their content: found again whatever the order, and an even share of them.
#include "polyrx/data/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polyrx/core/rng.hpp"
#include "polyrx/data/simulate.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::texts;
using test::truths;

Observations clinic(std::size_t rows) {
    return observe(simulate_clinic({.rows = rows}), {.treatment = "treatment", .outcome = "outcome"}, clinic_schema());
}

std::vector<std::size_t> random_order(std::size_t rows, std::uint64_t seed) {
    std::vector<std::size_t> order(rows);
    for (std::size_t i = 0; i < rows; ++i) order[i] = i;
    Rng rng(seed, Draw::test);
    rng.shuffle(std::span(order));
    return order;
}

Observations with_features(const Observations& from, std::vector<Column> columns) {
    Observations other = from;
    other.features = Table(std::move(columns));
    return other;
}

TEST(HeldOut, PartsTheRows) {
    const Observations rows = clinic(500);
    const RowSplit split = held_out_by_content(rows, 0.3, 1);
    EXPECT_TRUE(std::ranges::is_sorted(split.kept));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    std::set<std::size_t> all(split.kept.begin(), split.kept.end());
    all.insert(split.held_out.begin(), split.held_out.end());
    EXPECT_EQ(all.size(), 500U);
    EXPECT_EQ(split.kept.size() + split.held_out.size(), 500U);
}

TEST(HeldOut, DoesNotDependOnTheOrderOfRowsNorOnOtherRows) {
    const Observations rows = clinic(800);
    const RowSplit split = held_out_by_content(rows, 0.3, 7);
    const std::set<std::size_t> held(split.held_out.begin(), split.held_out.end());
    std::vector<std::size_t> some = random_order(800, 1);
    some.resize(500);
    const RowSplit again = held_out_by_content(take(rows, some), 0.3, 7);
    std::set<std::size_t> found;
    for (const std::size_t place : again.held_out) found.insert(some[place]);
    for (const std::size_t row : some) EXPECT_EQ(held.contains(row), found.contains(row)) << row;
}

TEST(HeldOut, DoesNotDependOnTheOrderOfColumnsNorOnForeignOnes) {
    const Table table = simulate_clinic({.rows = 300, .truth = true});
    const Observations features_only = clinic(300);
    std::vector<std::string> names;
    for (const Column& column : features_only.features.columns()) names.push_back(column.name);
    const Roles roles{.treatment = "treatment", .outcome = "outcome", .features = names};
    const RowSplit split = held_out_by_content(observe(table, roles, clinic_schema()), 0.4, 3);
    EXPECT_EQ(split.held_out, held_out_by_content(features_only, 0.4, 3).held_out);
    Roles reversed = roles;
    std::ranges::reverse(reversed.features);
    EXPECT_EQ(split.held_out, held_out_by_content(observe(table, reversed, clinic_schema()), 0.4, 3).held_out);
}

TEST(HeldOut, DoesNotDependOnHowCategoriesAndTreatmentsAreNumbered) {
    Observations rows{Table({texts("sex", {"F", "M"}, {0, 1, 1, 0, -1})}),
                      {0, 1, 2, 1, 0},
                      {"a", "b", "c"},
                      {1, 2, 3, 4, 5},
                      {},
                      "t",
                      "y",
                      "",
                      {}};
    Observations renumbered = with_features(rows, {texts("sex", {"M", "X", "F"}, {2, 0, 0, 2, -1})});
    renumbered.treatments = {"c", "b", "a"};
    renumbered.treatment = {2, 1, 0, 1, 2};
    renumbered.weight = {1, 2, 1, 1, 1};  // plays no part
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(held_out_by_content(rows, 0.5, seed).held_out, held_out_by_content(renumbered, 0.5, seed).held_out);
}

TEST(HeldOut, KeepsEqualRowsTogetherAndZeroIsMinusZero) {
    const Observations rows{Table({numbers("x", {0.0, -0.0, 0.0, NumericColumn::missing, -NumericColumn::missing}),
                                   truths("b", {1, 1, 1, -1, -1})}),
                            {0, 0, 0, 1, 1},
                            {"a", "b"},
                            {1, 1, 1, 2, 2},
                            {},
                            "t",
                            "y",
                            "",
                            {}};
    std::set<std::vector<std::size_t>> seen;
    for (std::uint64_t seed = 0; seed < 60; ++seed) seen.insert(held_out_by_content(rows, 0.5, seed).held_out);
    EXPECT_EQ(seen, (std::set<std::vector<std::size_t>>{{}, {0, 1, 2}, {3, 4}, {0, 1, 2, 3, 4}}));
}

TEST(HeldOut, EveryPartOfTheContentCounts) {
    // 200 rows that differ from each other in one cell only: in about half of the pairs, one is held out.
    std::vector<double> counting(200);
    for (std::size_t i = 0; i < 200; ++i) counting[i] = static_cast<double>(i);
    const std::vector<double> same(200, 1);
    std::vector<int> treatment(200, 0);
    const Observations by_feature{Table({numbers("x", counting)}), treatment, {"a", "b"}, same, {}, "t", "y", "", {}};
    const Observations by_outcome{Table({numbers("x", same)}), treatment, {"a", "b"}, counting, {}, "t", "y", "", {}};
    for (const Observations* rows : {&by_feature, &by_outcome}) {
        const auto held = static_cast<double>(held_out_by_content(*rows, 0.5, 1).held_out.size());
        EXPECT_NEAR(held, 100, 3.3 * std::sqrt(50.0));
    }
    EXPECT_NE(held_out_by_content(by_feature, 0.5, 1).held_out, held_out_by_content(by_feature, 0.5, 2).held_out);
    EXPECT_NE(held_out_by_content(by_feature, 0.5, 1).held_out, held_out_by_content(by_outcome, 0.5, 1).held_out);
}

TEST(HeldOut, TheShareIsTheFractionWithinBinomialError) {
    const Observations rows = clinic(20'000);
    for (const double fraction : {0.05, 0.3, 0.5, 0.9})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const double n = 20'000;
            const auto held = static_cast<double>(held_out_by_content(rows, fraction, seed).held_out.size());
            EXPECT_NEAR(held, n * fraction, 4 * std::sqrt(n * fraction * (1 - fraction))) << fraction << " " << seed;
        }
}

TEST(HeldOut, ALargerFractionHoldsOutTheSameAndMore) {
    const Observations rows = clinic(1'000);
    const RowSplit small = held_out_by_content(rows, 0.2, 4);
    const RowSplit large = held_out_by_content(rows, 0.3, 4);
    EXPECT_TRUE(std::ranges::includes(large.held_out, small.held_out));
    EXPECT_GT(large.held_out.size(), small.held_out.size());
}

TEST(HeldOut, StaysWhatItWas) {
    // Model files name a split by its seed and fraction alone: other rows here, and old models find other ones.
    const Observations rows{
        Table({numbers("age", {30, 41, 52, 63, 74, NumericColumn::missing}),
               texts("sex", {"F", "M"}, {0, 1, 0, -1, 1, 0}), truths("smokes", {0, 1, -1, 0, 1, 1})}),
        {0, 1, 0, 1, 0, 1},
        {"A", "B"},
        {0.5, 1, 1.5, 2, 2.5, 3},
        {},
        "drug",
        "score",
        "",
        {}};
    EXPECT_EQ(held_out_by_content(rows, 0.5, 1).held_out, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(HeldOut, RefusesAFractionThatLeavesNothing) {
    for (const double fraction : {0.0, 1.0, -0.5, std::nan("")})
        EXPECT_NE(test::sentence_of(Trouble::usage, [&] { (void)held_out_by_content(clinic(10), fraction, 1); })
                      .find("the share of rows to hold out must be above 0 and below 1, not"),
                  std::string::npos);
}

}  // namespace
}  // namespace polyrx
