// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

Rows all_rows_of(const RowSplit& split) {
    Rows all = split.kept;
    all.insert(all.end(), split.held_out.begin(), split.held_out.end());
    std::ranges::sort(all);
    return all;
}

TEST(RandomSplit, PutsEveryRowOnExactlyOneSide) {
    const RowSplit split = random_split(1001, .25, 7);
    EXPECT_EQ(split.held_out.size(), 250u);
    EXPECT_TRUE(std::ranges::is_sorted(split.kept));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    const Rows all = all_rows_of(split);
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
        const std::string expected = std::string("the held-out share must be at least 0 and below 1, not ") + shown;
        const std::vector<int> treatment = {0, 1};
        EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)random_split(10, share, 1); }), expected);
        EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)stratified_split(treatment, share, 1); }), expected);
    }
}

TEST(StratifiedSplit, HoldsOutTheSameShareOfEveryTreatment) {
    std::vector<int> treatment;
    for (int i = 0; i < 1000; ++i) treatment.push_back(i % 10 == 0 ? 2 : i % 3 == 0 ? 0 : 1);
    const RowSplit split = stratified_split(treatment, .3, 5);
    EXPECT_EQ(all_rows_of(split).size(), treatment.size());
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
    const RowSplit split = stratified_split(treatment, .9, 5);
    for (const int t : {0, 1, 3})
        EXPECT_TRUE(std::ranges::any_of(split.kept, [&](std::size_t row) { return treatment[row] == t; })) << t;
}

TEST(KFolds, HoldOutEveryRowOnce) {
    const std::vector<int> treatment(101, 0);
    const std::vector<RowSplit> folds = k_folds(treatment, 4, 7);
    ASSERT_EQ(folds.size(), 4u);
    Rows held_out;
    for (const RowSplit& fold : folds) {
        EXPECT_EQ(all_rows_of(fold).size(), treatment.size());
        EXPECT_TRUE(std::ranges::is_sorted(fold.kept));
        EXPECT_TRUE(std::ranges::is_sorted(fold.held_out));
        held_out.insert(held_out.end(), fold.held_out.begin(), fold.held_out.end());
    }
    std::ranges::sort(held_out);
    ASSERT_EQ(held_out.size(), treatment.size());
    for (std::size_t row = 0; row < held_out.size(); ++row) EXPECT_EQ(held_out[row], row);
}

TEST(KFolds, DifferByAtMostOneRowAndOneOfEachTreatment) {
    std::vector<int> treatment;
    for (int i = 0; i < 1003; ++i) treatment.push_back(i % 10 == 0 ? 3 : i % 3 == 0 ? 0 : 1);  // nobody got 2
    for (const std::size_t count : {2u, 5u, 7u}) {
        const std::vector<RowSplit> folds = k_folds(treatment, count, 5);
        const auto spread = [&](auto size_of) {
            std::vector<std::ptrdiff_t> sizes;
            for (const RowSplit& fold : folds) sizes.push_back(size_of(fold.held_out));
            return std::ranges::max(sizes) - std::ranges::min(sizes);
        };
        EXPECT_LE(spread([](const Rows& rows) { return std::ssize(rows); }), 1);
        for (const int t : {0, 1, 3})
            EXPECT_LE(spread([&](const Rows& rows) {
                          return std::ranges::count_if(rows, [&](std::size_t row) { return treatment[row] == t; });
                      }),
                      1);
    }
}

TEST(KFolds, KeepARowOfEveryTreatmentThatHasTwo) {
    const std::vector<int> treatment = {0, 0, 1, 1, 1, 2, 2};
    for (std::size_t count = 2; count <= treatment.size(); ++count)
        for (const RowSplit& fold : k_folds(treatment, count, 5))
            for (const int t : {0, 1, 2})
                EXPECT_TRUE(std::ranges::any_of(fold.kept, [&](std::size_t row) { return treatment[row] == t; })) << t;
}

TEST(KFolds, DependOnTheSeedOnly) {
    const std::vector<int> treatment(10, 0);
    EXPECT_EQ(k_folds(treatment, 3, 1)[0].held_out, k_folds(treatment, 3, 1)[0].held_out);
    EXPECT_NE(k_folds(treatment, 3, 1)[0].held_out, k_folds(treatment, 3, 2)[0].held_out);
    EXPECT_EQ(k_folds(treatment, 3, 1)[0].held_out, (Rows{2, 7, 8, 9}));
}

TEST(KFolds, RefuseFewerThanTwoAndMoreThanTheRows) {
    const std::vector<int> treatment = {0, 1, 0};
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)k_folds(treatment, 1, 1); }),
              "there must be at least 2 folds, not 1");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)k_folds(treatment, 4, 1); }),
              "4 folds need at least as many rows; there are only 3");
}

}  // namespace
}  // namespace polyrx
