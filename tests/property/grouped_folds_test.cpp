// SPDX-License-Identifier: Apache-2.0
// Folds that keep groups whole.
#include "polyrx/study/splits/grouped_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "polyrx/core/rng.hpp"
#include "polyrx/study/splits/group_numbers.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::sentence_of;

TEST(GroupedFolds, HoldOutEveryRowOnceWithItsWholeGroup) {
    for (std::uint64_t index = 0; index < 50; ++index) {
        Rng rng(1, Draw::test, index);
        const std::size_t rows = 20 + rng.below(200);
        const std::size_t groups = 6 + rng.below(30);
        std::vector<int> treatment;
        std::vector<std::size_t> group;
        for (std::size_t i = 0; i < rows; ++i) {
            treatment.push_back(static_cast<int>(rng.below(3)));
            group.push_back(i < 6 ? i : rng.below(groups));
        }
        const auto folds = grouped_folds(treatment, group, 2 + index % 4, index);
        EXPECT_EQ(folds.size(), 2 + index % 4);
        std::vector<int> times(rows);
        for (const RowSplit& fold : folds) {
            EXPECT_EQ(fold.kept.size() + fold.held_out.size(), rows);
            EXPECT_TRUE(std::ranges::is_sorted(fold.kept) && std::ranges::is_sorted(fold.held_out));
            EXPECT_FALSE(fold.held_out.empty());
            std::set<std::size_t> inside;
            for (const std::size_t row : fold.held_out) {
                inside.insert(group[row]);
                ++times[row];
            }
            for (const std::size_t row : fold.kept) EXPECT_FALSE(inside.contains(group[row]));
        }
        EXPECT_EQ(std::ranges::count(times, 1), std::ssize(times));
    }
}

TEST(GroupedFolds, ShareOutTreatmentsEvenlyWhereGroupsAreSmall) {
    Rng rng(2, Draw::test);
    std::vector<int> treatment;
    std::vector<std::size_t> group;
    for (std::size_t g = 0; g < 200; ++g)
        for (std::uint64_t i = 0; i < 1 + g % 4; ++i) {
            treatment.push_back(rng.bernoulli(0.1) ? 2 : rng.bernoulli(0.3) ? 1 : 0);
            group.push_back(g);
        }
    const auto folds = grouped_folds(treatment, group, 5, 1);
    for (int k = 0; k < 3; ++k) {
        const auto all = static_cast<double>(std::ranges::count(treatment, k));
        for (const RowSplit& fold : folds) {
            double held_out = 0;
            for (const std::size_t row : fold.held_out) held_out += treatment[row] == k ? 1 : 0;
            EXPECT_NEAR(held_out, all / 5, 3) << k;
        }
    }
}

TEST(GroupedFolds, AreThoseWithoutGroupsWhereEachRowIsOne) {
    std::vector<int> treatment;
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < 50; ++i) {
        treatment.push_back(i % 3 == 0 ? 1 : 0);
        group.push_back(1'000 - i);
    }
    const auto alone = k_folds(treatment, 4, 9);
    const auto grouped = grouped_folds(treatment, group, 4, 9);
    for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(grouped[f].held_out, alone[f].held_out);
}

TEST(GroupedFolds, RefuseFewerGroupsThanFolds) {
    const std::vector<int> treatment{0, 1, 0, 1};
    const std::vector<std::size_t> group{7, 7, 8, 8};
    const auto sentence = [&](std::size_t folds) {
        return sentence_of(ErrorKind::usage, [&] { (void)grouped_folds(treatment, group, folds, 1); });
    };
    EXPECT_EQ(sentence(3), "3 folds need at least as many groups; there are only 2");
    EXPECT_EQ(sentence(1), "there must be at least 2 folds, not 1");
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)grouped_folds(treatment, std::span(group).first(3), 2, 1); }),
              "3 groups were given for 4 rows");
}

TEST(GroupedSplit, HoldsOutWholeGroupsOfAboutTheShare) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Rng rng(seed, Draw::test);
        std::vector<std::size_t> group(200);
        for (std::size_t& each : group) each = rng.below(25);
        const double share = rng.uniform(0.05, 0.6);
        const RowSplit split = grouped_split(group, share, seed);
        EXPECT_EQ(split.kept.size() + split.held_out.size(), 200U);
        std::set<std::size_t> kept;
        for (const std::size_t row : split.kept) kept.insert(group[row]);
        for (const std::size_t row : split.held_out) EXPECT_FALSE(kept.contains(group[row]));
        EXPECT_FALSE(split.kept.empty());
        EXPECT_FALSE(split.held_out.empty());
        EXPECT_NEAR(static_cast<double>(split.held_out.size()), 200 * share, 10) << seed;
    }
    EXPECT_TRUE(grouped_split(std::vector<std::size_t>{1, 1, 2}, 0, 1).held_out.empty());
    EXPECT_EQ(grouped_split(std::vector<std::size_t>{1, 1, 2, 2}, 0.9, 1).held_out.size(), 2U);
}

TEST(GroupNumbers, CountInTheOrderOfAppearance) {
    const GroupNumbers numbers = number_groups(std::vector<std::size_t>{9, 4, 9, 100, 4});
    EXPECT_EQ(numbers.of_row, (std::vector<std::size_t>{0, 1, 0, 2, 1}));
    EXPECT_EQ(numbers.count, 3U);
}

}  // namespace
}  // namespace polyrx
