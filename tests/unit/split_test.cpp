// SPDX-License-Identifier: Apache-2.0
#include "polyrx/data/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

Rows all_of(const Split& split) {
    Rows all = split.kept;
    all.insert(all.end(), split.held_out.begin(), split.held_out.end());
    std::ranges::sort(all);
    return all;
}

TEST(RandomSplit, PutsEveryRowOnExactlyOneSide) {
    const Split split = random_split(1001, .25, 7);
    EXPECT_EQ(split.held_out.size(), 250u);
    EXPECT_TRUE(std::ranges::is_sorted(split.kept));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    const Rows all = all_of(split);
    ASSERT_EQ(all.size(), 1001u);
    for (std::size_t row = 0; row < all.size(); ++row) EXPECT_EQ(all[row], row);
}

TEST(RandomSplit, DependsOnTheSeedOnly) {
    EXPECT_EQ(random_split(100, .5, 7).kept, random_split(100, .5, 7).kept);
    EXPECT_NE(random_split(100, .5, 7).kept, random_split(100, .5, 8).kept);
    EXPECT_EQ(random_split(10, .3, 1).held_out, (Rows{2, 3, 9}));
}

TEST(RandomSplit, MayHoldOutNothing) {
    EXPECT_TRUE(random_split(10, 0, 1).held_out.empty());
    EXPECT_TRUE(random_split(0, .5, 1).kept.empty());
}

TEST(RandomSplit, RefusesAShareThatLeavesNothing) {
    for (const auto& [share, shown] : {std::pair{1.0, "1"}, {-.1, "-0.1"}, {NumericColumn::missing, "nan"}}) {
        const std::string expected =
            std::string("the share of rows to hold out must be at least 0 and below 1, not ") + shown;
        const std::vector<int> treatment = {0, 1};
        EXPECT_EQ(test::sentence_of(Trouble::usage, [&] { (void)random_split(10, share, 1); }), expected);
        EXPECT_EQ(test::sentence_of(Trouble::usage, [&] { (void)stratified_split(treatment, share, 1); }), expected);
    }
}

TEST(StratifiedSplit, HoldsOutTheSameShareOfEveryTreatment) {
    std::vector<int> treatment;
    for (int i = 0; i < 1000; ++i) treatment.push_back(i % 10 == 0 ? 2 : i % 3 == 0 ? 0 : 1);
    const Split split = stratified_split(treatment, .3, 5);
    EXPECT_EQ(all_of(split).size(), treatment.size());
    for (const int t : {0, 1, 2}) {
        const auto given = std::ranges::count(treatment, t);
        const auto held_out =
            std::ranges::count_if(split.held_out, [&](std::size_t row) { return treatment[row] == t; });
        EXPECT_NEAR(static_cast<double>(held_out), .3 * static_cast<double>(given), .5);
    }
    EXPECT_EQ(split.kept, stratified_split(treatment, .3, 5).kept);
}

TEST(StratifiedSplit, KeepsARowOfEveryTreatment) {
    const std::vector<int> treatment = {0, 0, 1, 3, 3, 3};
    const Split split = stratified_split(treatment, .9, 5);
    for (const int t : {0, 1, 3})
        EXPECT_TRUE(std::ranges::any_of(split.kept, [&](std::size_t row) { return treatment[row] == t; })) << t;
}

}  // namespace
}  // namespace polyrx
