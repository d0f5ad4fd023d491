// SPDX-License-Identifier: Apache-2.0
// Held-out rows: found again whatever the order, an even share of them, and whole groups where there are any.
#include "polyrx/study/splits/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polyrx/core/rng.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::texts;
using test::truths;
using Rows = std::vector<std::size_t>;

Observations clinic_study(std::size_t rows) {
    return observe(simulate_clinic({.rows = rows}), {.treatment = "treatment", .outcome = "outcome"}, clinic_schema());
}

Rows random_order(std::size_t rows, std::uint64_t seed) {
    Rows order(rows);
    for (std::size_t i = 0; i < rows; ++i) order[i] = i;
    Rng rng(seed, Draw::test);
    rng.shuffle(std::span(order));
    return order;
}

// Three values of a feature, two treatments, two outcomes, two weights: rows repeat.
Observations coarse(std::size_t rows, std::uint64_t seed) {
    Rng rng(seed, Draw::test);
    std::vector<double> x;
    Observations observations;
    for (std::size_t i = 0; i < rows; ++i) {
        x.push_back(static_cast<double>(rng.below(3)));
        observations.treatment.push_back(static_cast<int>(rng.below(2)));
        observations.outcome.push_back(static_cast<double>(rng.below(2)));
        observations.weight.push_back(1.0 + static_cast<double>(rng.below(2)));
    }
    observations.features = Table({numbers("x", x)});
    observations.treatments = {"a", "b"};
    observations.treatment_name = "t";
    observations.outcome_name = "y";
    return observations;
}

void give_groups(Observations& observations, std::size_t groups) {
    observations.group_name = "site";
    for (std::size_t g = 0; g < groups; ++g) observations.groups.push_back("site " + std::to_string(g));
    for (std::size_t i = 0; i < observations.rows(); ++i) observations.group.push_back(i % groups);
}

// What is in a row: treatment, outcome, feature and weight.
using Content = std::tuple<int, double, std::string, double>;

std::multiset<Content> contents(const Observations& observations, const Rows& rows) {
    std::multiset<Content> result;
    for (const std::size_t row : rows)
        result.emplace(observations.treatment[row], observations.outcome[row],
                       observations.features.columns().front().text(row),
                       observations.weight.empty() ? 1 : observations.weight[row]);
    return result;
}

TEST(HeldOut, PartsTheRows) {
    const RowSplit split = hold_out(clinic_study(500), 0.3, 1).rows;
    EXPECT_TRUE(std::ranges::is_sorted(split.kept));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    std::set<std::size_t> all(split.kept.begin(), split.kept.end());
    all.insert(split.held_out.begin(), split.held_out.end());
    EXPECT_EQ(all.size(), 500U);
    EXPECT_EQ(split.kept.size() + split.held_out.size(), 500U);
}

TEST(HeldOut, IsFoundAgainInAnyOrderOfTheRows) {
    for (const Observations& rows : {clinic_study(600), coarse(600, 3)}) {
        const HeldOut split = hold_out(rows, 0.3, 7);
        const Observations shuffled = take(rows, random_order(600, 1));
        const auto again = hold_out_again(shuffled, 0.3, 7, split.record);
        ASSERT_TRUE(again);
        EXPECT_EQ(contents(rows, split.rows.held_out), contents(shuffled, again->held_out));
        EXPECT_EQ(hold_out(shuffled, 0.3, 7).record, split.record);
    }
}

TEST(HeldOut, IsFoundAgainInSomeOfTheRowsWhereNoFeaturesRepeat) {
    const Observations rows = clinic_study(800);
    const HeldOut split = hold_out(rows, 0.3, 7);
    EXPECT_TRUE(split.record.one_by_one);
    Rows some = random_order(800, 1);
    some.resize(500);
    const auto again = hold_out_again(take(rows, some), 0.3, 7, split.record);
    ASSERT_TRUE(again);
    const std::set<std::size_t> held(split.rows.held_out.begin(), split.rows.held_out.end());
    std::set<std::size_t> found;
    for (const std::size_t place : again->held_out) found.insert(some[place]);
    for (const std::size_t row : some) EXPECT_EQ(held.contains(row), found.contains(row)) << row;
}

TEST(HeldOut, IsNotFoundInOtherRowsWhereFeaturesRepeat) {
    const Observations rows = coarse(200, 1);
    const HeldOut split = hold_out(rows, 0.3, 7);
    EXPECT_FALSE(split.record.one_by_one);
    Rows some = random_order(200, 1);
    some.resize(150);
    EXPECT_FALSE(hold_out_again(take(rows, some), 0.3, 7, split.record));
    // Nor where the training rows repeated and these do not, or these repeat and those did not.
    EXPECT_FALSE(hold_out_again(take(rows, Rows{0}), 0.3, 7, split.record));
    EXPECT_FALSE(hold_out_again(rows, 0.3, 7, hold_out(clinic_study(50), 0.3, 7).record));
}

TEST(HeldOut, AFileOfTheHeldOutRowsAloneIsHeldOutWhole) {
    for (const Observations& rows : {clinic_study(300), coarse(300, 2)}) {
        const HeldOut split = hold_out(rows, 0.4, 5);
        const Observations held_out = take(rows, split.rows.held_out);
        const auto again = hold_out_again(held_out, 0.4, 5, split.record);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->held_out.size(), held_out.rows());
        EXPECT_TRUE(again->kept.empty());
    }
}

TEST(HeldOut, RowsOfWeightZeroAreCounted) {
    // Whoever reads the file without its weights must find the same rows.
    const Table table({numbers("x", {1, 1, 1, 1, 1, 1, 1, 1}), numbers("t", {0, 1, 0, 1, 0, 1, 0, 1}),
                       numbers("y", {0, 1, 2, 3, 4, 5, 6, 7}), numbers("w", {0, 1, 1, 0, 1, 1, 0, 1})});
    Roles roles{.treatment = "t", .outcome = "y", .ignore = {"w"}};
    const Observations all = observe(table, roles);
    roles.ignore.clear();
    roles.weight = "w";
    const Observations counting = observe(table, roles);
    ASSERT_EQ(counting.rows(), 5U);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        std::set<double> of_all;
        for (const std::size_t row : hold_out(all, 0.5, seed).rows.held_out) of_all.insert(all.outcome[row]);
        const HeldOut split = hold_out(counting, 0.5, seed);
        const std::set<std::size_t> held(split.rows.held_out.begin(), split.rows.held_out.end());
        for (std::size_t row = 0; row < 5; ++row)
            EXPECT_EQ(held.contains(row), of_all.contains(counting.outcome[row])) << seed;
        EXPECT_TRUE(hold_out_again(all, 0.5, seed, split.record));
    }
}

TEST(HeldOut, DoesNotDependOnTheOrderOfColumnsNorOnForeignOnes) {
    const Table table = simulate_clinic({.rows = 300, .truth = true});
    const Observations features_only = clinic_study(300);
    std::vector<std::string> names;
    for (const Column& column : features_only.features.columns()) names.push_back(column.name);
    const Roles roles{.treatment = "treatment", .outcome = "outcome", .features = names};
    const RowSplit split = hold_out(observe(table, roles, clinic_schema()), 0.4, 3).rows;
    EXPECT_EQ(split.held_out, hold_out(features_only, 0.4, 3).rows.held_out);
    Roles reversed = roles;
    std::ranges::reverse(reversed.features);
    EXPECT_EQ(split.held_out, hold_out(observe(table, reversed, clinic_schema()), 0.4, 3).rows.held_out);
}

TEST(HeldOut, DoesNotDependOnHowCategoriesAndTreatmentsAreNumbered) {
    Observations rows = coarse(5, 1);
    rows.features = Table({texts("sex", {"F", "M"}, {0, 1, 1, 0, -1})});
    rows.treatments = {"a", "b", "c"};
    rows.treatment = {0, 1, 2, 1, 0};
    rows.weight.clear();
    Observations renumbered = rows;
    renumbered.features = Table({texts("sex", {"M", "X", "F"}, {2, 0, 0, 2, -1})});
    renumbered.treatments = {"c", "b", "a"};
    renumbered.treatment = {2, 1, 0, 1, 2};
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(hold_out(rows, 0.5, seed).rows.held_out, hold_out(renumbered, 0.5, seed).rows.held_out);
}

TEST(HeldOut, RowsWithEqualFeaturesAreDrawnOneByOne) {
    // -0 equals 0, and all missing numbers are one.
    Observations rows = coarse(4, 1);
    rows.features = Table({numbers("x", {0.0, -0.0, NumericColumn::missing, -NumericColumn::missing})});
    rows.treatment = {0, 0, 1, 1};
    rows.outcome = {1, 2, 1, 2};
    rows.weight.clear();
    std::set<Rows> seen;
    for (std::uint64_t seed = 0; seed < 300; ++seed) seen.insert(hold_out(rows, 0.5, seed).rows.held_out);
    EXPECT_EQ(seen.size(), 16U);  // every subset
}

TEST(HeldOut, TheShareIsTheFractionWithinBinomialError) {
    for (const Observations& rows : {clinic_study(20'000), coarse(20'000, 9)})
        for (const double fraction : {0.05, 0.3, 0.5, 0.9})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const double n = 20'000;
                const auto held = static_cast<double>(hold_out(rows, fraction, seed).rows.held_out.size());
                EXPECT_NEAR(held, n * fraction, 4 * std::sqrt(n * fraction * (1 - fraction)));
            }
}

TEST(HeldOut, ALargerFractionHoldsOutWhatASmallerOneDoes) {
    const Observations rows = coarse(1000, 5);
    const RowSplit small = hold_out(rows, 0.2, 4).rows;
    const RowSplit large = hold_out(rows, 0.3, 4).rows;
    EXPECT_TRUE(std::ranges::includes(large.held_out, small.held_out));
    EXPECT_GT(large.held_out.size(), small.held_out.size());
}

TEST(HeldOut, GroupsAreHeldOutWhole) {
    for (const std::size_t groups : {4UL, 7UL, 19UL, 20UL, 60UL}) {
        Observations rows = coarse(240, groups);
        give_groups(rows, groups);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const HeldOut split = hold_out(rows, 0.3, seed);
            std::set<std::size_t> kept;
            std::set<std::size_t> held_out;
            for (const std::size_t row : split.rows.kept) kept.insert(rows.group[row]);
            for (const std::size_t row : split.rows.held_out) held_out.insert(rows.group[row]);
            EXPECT_EQ(kept.size() + held_out.size(), groups);
            EXPECT_EQ(split.record.by, SplitBy::group);
            EXPECT_EQ(split.record.one_by_one, groups >= 20);
            if (groups >= 20) continue;
            EXPECT_GE(kept.size(), 2U);
            EXPECT_GE(held_out.size(), 2U);
            EXPECT_NEAR(static_cast<double>(held_out.size()), std::max(0.3 * static_cast<double>(groups), 2.0), 0.51);
        }
    }
}

TEST(HeldOut, ManyGroupsAreFoundAgainInAFileOfSomeOfThem) {
    Observations rows = coarse(300, 8);
    give_groups(rows, 60);
    const HeldOut split = hold_out(rows, 0.4, 3);
    const std::set<std::size_t> held(split.rows.held_out.begin(), split.rows.held_out.end());
    Rows some;
    for (std::size_t i = 0; i < 300; ++i)
        if (rows.group[i] < 10) some.push_back(i);
    const auto again = hold_out_again(take(rows, some), 0.4, 3, split.record);
    ASSERT_TRUE(again);
    for (const std::size_t place : again->held_out) EXPECT_TRUE(held.contains(some[place]));
    for (const std::size_t place : again->kept) EXPECT_FALSE(held.contains(some[place]));
    // Few groups are dealt among each other, which takes all of them.
    Observations few = coarse(300, 8);
    give_groups(few, 10);
    const HeldOut dealt = hold_out(few, 0.4, 3);
    EXPECT_TRUE(hold_out_again(few, 0.4, 3, dealt.record));
    EXPECT_FALSE(hold_out_again(take(few, some), 0.4, 3, dealt.record));
}

TEST(HeldOut, RefusesFewerThanFourGroups) {
    Observations rows = coarse(30, 1);
    give_groups(rows, 3);
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)hold_out(rows, 0.5, 1); }),
              "the table: the group column 'site' has 3 values; expected at least 4, two for each side of the split");
}

Observations six_patients() {
    Observations rows;
    rows.features = Table({numbers("age", {30, 41, 52, 63, 74, NumericColumn::missing}),
                           texts("sex", {"F", "M"}, {0, 1, 0, -1, 1, 0}), truths("smokes", {0, 1, -1, 0, 1, 1})});
    rows.treatment = {0, 1, 0, 1, 0, 1};
    rows.treatments = {"A", "B"};
    rows.outcome = {0.5, 1, 1.5, 2, 2.5, 3};
    rows.treatment_name = "drug";
    rows.outcome_name = "score";
    return rows;
}

TEST(HeldOut, StaysWhatItWas) {
    // Model files name a split by its seed and fraction: other rows here, and older models find other ones.
    EXPECT_EQ(hold_out_again(six_patients(), 0.5, 1, {})->held_out, (Rows{0, 1, 2, 3}));
    EXPECT_EQ(hold_out(six_patients(), 0.5, 1).rows.held_out, (Rows{1, 3, 4}));
}

TEST(HeldOut, RefusesAFractionThatLeavesNothing) {
    for (const double fraction : {0.0, 1.0, -0.5, std::nan("")})
        EXPECT_NE(test::sentence_of(ErrorKind::usage, [&] { (void)hold_out(clinic_study(10), fraction, 1); })
                      .find("the held-out share must be above 0 and below 1, not"),
                  std::string::npos);
}

}  // namespace
}  // namespace polyrx
