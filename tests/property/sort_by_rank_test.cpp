// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/sort_by_rank.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

TEST(SortByRank, PutsRowsWhereAStableSortDoes) {
    for (std::uint64_t index = 0; index < 200; ++index) {
        Rng rng(1, Draw::test, index);
        const auto highest = static_cast<std::uint32_t>(std::uint64_t{0xffff'ffff} >> rng.below(33));
        std::vector<RankedRow> rows;
        const std::size_t count = rng.below(500);
        for (std::size_t i = 0; i < count; ++i)
            rows.push_back({static_cast<std::uint32_t>(rng.below(std::uint64_t{highest} + 1)),
                            static_cast<Position>(rng.below(1'000))});
        std::vector<std::pair<std::uint32_t, std::size_t>> places;  // no two alike, so any sort will do
        for (std::size_t i = 0; i < count; ++i) places.emplace_back(rows[i].rank, i);
        std::ranges::sort(places);
        std::vector<RankedRow> expected;
        for (const auto& [rank, place] : places) expected.push_back(rows[place]);
        std::vector<RankedRow> buffer(rng.below(10));
        sort_by_rank(rows, buffer, highest);
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i].rank, expected[i].rank);
            EXPECT_EQ(rows[i].row, expected[i].row);
        }
    }
}

TEST(MovedRows, KeepTheirOrderOnEachSideAndWhatIsKnownOfThem) {
    for (std::uint64_t index = 0; index < 100; ++index) {
        Rng rng(2, Draw::test, index);
        std::vector<double> known;
        for (std::size_t i = 0; i < 100; ++i) known.push_back(rng.normal());
        const std::vector<double> before = known;
        const std::size_t first = rng.below(50);
        const std::size_t count = rng.below(51);
        std::vector<Position> rows;
        for (std::size_t i = 0; i < count; ++i) rows.push_back(static_cast<Position>(first + i));
        std::vector<Position> buffer(count);
        const std::size_t left =
            left_first(rows.data(), count, buffer.data(), [&](Position row) { return before[row] > 0; });
        move_along(known, first, rows);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(known[first + i], before[rows[i]]);
            EXPECT_EQ(known[first + i] > 0, i < left);
            if (i > 0 && i != left) {
                EXPECT_LT(rows[i - 1], rows[i]);
            }
        }
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (i < first || i >= first + count) {
                EXPECT_EQ(known[i], before[i]);
            }
        }
    }
}

}  // namespace
}  // namespace polyrx
