// SPDX-License-Identifier: Apache-2.0
// Sketches recognize rows that they have seen, and hardly ever others.
#include "polyrx/study/splits/row_sketch.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

using Contents = std::vector<std::uint64_t>;

Contents random_contents(std::size_t rows, std::uint64_t seed, std::uint64_t kinds = 0) {
    Rng rng(seed, Draw::test);
    Contents contents;
    // Kinds are spread over all hashes, as those of rows are.
    for (std::size_t i = 0; i < rows; ++i)
        contents.push_back(kinds == 0 ? rng.next() : Rng(7, Draw::test, rng.below(kinds)).next());
    return contents;
}

Contents joined(Contents a, const Contents& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST(RowSketch, FindsTheShareOfRowsThatItHasSeen) {
    for (const std::size_t rows : {10UL, 4'000UL, 100'000UL}) {
        const Contents seen = random_contents(rows, 1);
        const RowSketch sketch = sketch_rows(seen);
        EXPECT_EQ(sketch.hashes.size(), std::min(rows, most_sketched));
        EXPECT_EQ(sketch.repeated, 0);
        EXPECT_EQ(shared_rows(sketch, seen).share, 1) << rows;
        EXPECT_TRUE(shared_rows(sketch, seen).credible) << rows;
        const SharedRows half = shared_rows(sketch, joined(seen, random_contents(rows, 2)));
        EXPECT_TRUE(half.credible);
        EXPECT_NEAR(half.share, 0.5, 0.05) << rows;
        const SharedRows none = shared_rows(sketch, random_contents(rows, 3));
        EXPECT_EQ(none.found, 0U) << rows;
        EXPECT_FALSE(none.credible);
    }
}

TEST(RowSketch, DoesNotTakeRowsThatHappenToBeEqualForThoseItHasSeen) {
    for (const std::uint64_t kinds : {20U, 2'000U, 100'000U})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const RowSketch sketch = sketch_rows(random_contents(5'000, seed, kinds));
            EXPECT_FALSE(shared_rows(sketch, random_contents(3'000, 100 + seed, kinds)).credible) << kinds;
        }
}

TEST(RowSketch, TakesOneEqualRowForACoincidenceAlsoWhereNoneRepeats) {
    const Contents seen = random_contents(3'000, 1);
    const RowSketch sketch = sketch_rows(seen);
    ASSERT_EQ(sketch.repeated, 0);
    for (const std::size_t rows : {30UL, 3'000UL, 30'000UL}) {
        Contents others = random_contents(rows, 2);
        others.front() = seen[17];
        const SharedRows one = shared_rows(sketch, others);
        EXPECT_EQ(one.found, 1U);
        EXPECT_FALSE(one.credible) << rows;
    }
    // Many rows are no coincidence.
    EXPECT_TRUE(
        shared_rows(sketch, joined(random_contents(3'000, 2), Contents(seen.begin(), seen.begin() + 60))).credible);
}

TEST(RowSketch, DoesNotMistakeAFileOfManyRepeatedRowsForThoseOfASmallOne) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RowSketch sketch = sketch_rows(random_contents(50, seed, 10'000));  // mostly, none repeats
        EXPECT_FALSE(shared_rows(sketch, random_contents(50'000, 100 + seed, 10'000)).credible) << seed;
    }
}

TEST(RowSketch, SurvivesWriting) {
    const RowSketch sketch = sketch_rows(random_contents(10'000, 1));
    const std::string text = to_hex(sketch.hashes);
    EXPECT_LE(text.size(), 64'000U);
    EXPECT_EQ(hashes_from_hex(text), sketch.hashes);
    EXPECT_EQ(hashes_from_hex(""), Contents{});
}

TEST(RowSketch, RefusesTextsThatAreNone) {
    EXPECT_FALSE(hashes_from_hex("00000000000"));               // cut short
    EXPECT_FALSE(hashes_from_hex("00000000000g"));              // no digit
    EXPECT_FALSE(hashes_from_hex("-00000000001"));              // a sign
    EXPECT_FALSE(hashes_from_hex("000000000002000000000001"));  // not ascending
    EXPECT_FALSE(hashes_from_hex("000000000002000000000002"));  // twice
    Contents many;
    for (std::size_t i = 0; i <= most_sketched; ++i) many.push_back(i);
    EXPECT_FALSE(hashes_from_hex(to_hex(many)));
}

}  // namespace
}  // namespace polyrx
