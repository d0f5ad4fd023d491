// SPDX-License-Identifier: Apache-2.0
// Policy trees, against trying every tree.
#include "polyrx/baselines/policy_tree/policy_tree.hpp"

#include <gtest/gtest.h>

#include "polyrx/baselines/policy_tree/level_sides.hpp"
#include "polyrx/baselines/policy_tree/prefix_extremes.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/network/relu_network.hpp"
#include "tests/support/random_treated_rows.hpp"
#include "tests/support/slow_policy_tree.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;
using test::slow_policy_tree;

// Eighths, so that sums are the same in any order.
Matrix random_scores(Rng& rng, std::size_t rows, int treatments) {
    Matrix scores(static_cast<Eigen::Index>(rows), treatments);
    for (double& score : scores.reshaped()) score = std::round(8 * (3 + rng.normal())) / 8;
    return scores;
}

// What the tree's prescriptions come to.
double value_of(const PersonalizationTree& tree, const RandomStudy& study, const Matrix& scores) {
    double sum = 0;
    const std::vector<int> prescribed = argmin_rows(polyrx::scores(tree, study.features, 1));
    for (std::size_t i = 0; i < prescribed.size(); ++i)
        sum += study.weight[i] * scores(static_cast<Eigen::Index>(i), prescribed[i]);
    return sum;
}

int levels_of(const AxisTree& tree, int node = 0) {
    const AxisNode& at = tree.nodes[static_cast<std::size_t>(node)];
    return at.is_leaf() ? 0 : 1 + std::max(levels_of(tree, at.left()), levels_of(tree, at.left() + 1));
}

struct Sizes {
    std::uint64_t problems;
    std::size_t rows;
    std::size_t features;
    int depth;
};

void expect_least(const Sizes& sizes, bool with_leaf_rows) {
    std::size_t splits = 0;
    for (std::uint64_t index = 0; index < sizes.problems; ++index) {
        Rng rng(static_cast<std::uint64_t>(10 * sizes.depth + (with_leaf_rows ? 1 : 0)), Draw::test, index);
        const std::size_t rows = 1 + rng.below(sizes.rows);
        const RandomStudy study =
            random_treated_rows(rng, rows, 1 + rng.below(sizes.features), 2 + static_cast<int>(index % 3));
        const Matrix scores = random_scores(rng, rows, study.treatments);
        const std::size_t leaf_rows = with_leaf_rows ? 2 + rng.below(4) : 1;
        const PolicyTree found = fit_policy_tree(study.rows(), study.all(), scores,
                                                 {.depth = sizes.depth, .leaf_rows = leaf_rows, .threads = 2});
        EXPECT_TRUE(found.is_exact);
        EXPECT_LE(levels_of(found.tree.tree), sizes.depth);
        EXPECT_EQ(value_of(found.tree, study, scores),
                  slow_policy_tree(study.features, scores, study.weight, study.all(), sizes.depth, leaf_rows))
            << "problem " << index;
        std::vector<std::size_t> held(found.tree.tree.nodes.size());
        for (std::size_t row = 0; row < rows; ++row)
            ++held[static_cast<std::size_t>(leaf_of(found.tree.tree, study.features, row))];
        for (std::size_t node = 1; node < held.size(); ++node) {
            if (!found.tree.tree.nodes[node].is_leaf()) continue;
            EXPECT_GE(held[node], leaf_rows);
        }
        splits += held.size() / 2;
    }
    EXPECT_GT(2 * splits, sizes.problems);
}

TEST(PolicyTree, OfOneSplitIsTheBest) {
    expect_least({300, 40, 4, 1}, false);
}
TEST(PolicyTree, OfTwoLevelsIsTheBest) {
    expect_least({300, 14, 3, 2}, false);
    expect_least({20, 40, 3, 2}, false);
}
TEST(PolicyTree, OfThreeLevelsIsTheBest) {
    expect_least({60, 9, 2, 3}, false);
}
TEST(PolicyTree, KeepsRowsInItsLeavesAndIsTheBestOfThose) {
    expect_least({200, 40, 4, 1}, true);
    expect_least({200, 20, 3, 2}, true);
    expect_least({60, 12, 2, 3}, true);
}

// Three levels of splits over one number, with leaves of three rows: taking a row away from the left side of the best
// cut makes that side dearer, so that bounds by how many rows a side has would miss the cut.
TEST(PolicyTree, KeepsRowsInItsLeavesAlsoWhereFewerRowsCostMore) {
    const std::string_view best = "AAABBBAAABBBAAAAABBBBBAAAAABBBBB";
    Rng rng(108, Draw::test);
    RandomStudy study = random_treated_rows(rng, best.size(), 1, 2);
    study.features.levels = {0};
    Matrix scores(static_cast<Eigen::Index>(best.size()), 2);
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
        study.features.values(i, 0) = static_cast<double>(i);
        study.weight[static_cast<std::size_t>(i)] = 1;
        const int right = best[static_cast<std::size_t>(i)] == 'A' ? 0 : 1;
        scores(i, right) = 0;
        scores(i, 1 - right) = 1;
    }
    const PolicyTree found = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3, .leaf_rows = 3});
    EXPECT_TRUE(found.is_exact);
    EXPECT_EQ(value_of(found.tree, study, scores), 0);
}

// Which feature is looked at first must not matter, as it would if a bound that does not hold left out splits.
TEST(PolicyTree, OfFourLevelsInStepsIsAsGoodInAnyOrderOfFeatures) {
    for (std::uint64_t index = 0; index < 110; ++index) {
        Rng rng(109, Draw::test, index);
        const std::size_t rows = 40 + rng.below(60);
        RandomStudy study = random_treated_rows(rng, rows, 2, 2);
        study.features.levels = {0, 0};
        for (double& value : study.features.values.reshaped()) value = rng.normal();
        Matrix scores = random_scores(rng, rows, 2);
        const PolicyTreeOptions options = {.depth = 4, .split_step = 2 + rng.below(9)};
        const double before = value_of(fit_policy_tree(study.rows(), study.all(), scores, options).tree, study, scores);
        study.features.values.col(0).swap(study.features.values.col(1));
        EXPECT_EQ(value_of(fit_policy_tree(study.rows(), study.all(), scores, options).tree, study, scores), before)
            << "problem " << index;
    }
}

TEST(PolicyTree, ThreadsAndTheOrderOfRowsChangeNothing) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(100, Draw::test, index);
        const RandomStudy study = random_treated_rows(rng, 120, 4, 3);
        const Matrix scores = random_scores(rng, 120, 3);
        const int depth = 2 + static_cast<int>(index % 2);
        const PolicyTree one = fit_policy_tree(study.rows(), study.all(), scores, {.depth = depth});
        for (const int threads : {2, 5})
            EXPECT_EQ(fit_policy_tree(study.rows(), study.all(), scores, {.depth = depth, .threads = threads}).tree,
                      one.tree);
        Rows order = study.all();
        rng.shuffle(std::span(order));
        EXPECT_EQ(fit_policy_tree(study.rows(), order, scores(order, Eigen::all), {.depth = depth}).tree, one.tree);
    }
}

TEST(PolicyTree, OtherNumbersOfTheTreatmentsPermuteTheAnswer) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(101, Draw::test, index);
        RandomStudy study = random_treated_rows(rng, 60, 3, 3);
        const Matrix scores = random_scores(rng, 60, 3);
        const PolicyTree before = fit_policy_tree(study.rows(), study.all(), scores, {});
        const std::vector<int> turn = {2, 0, 1};
        for (int& t : study.treatment) t = turn[static_cast<std::size_t>(t)];
        Matrix turned(60, 3);
        for (int k = 0; k < 3; ++k) turned.col(turn[static_cast<std::size_t>(k)]) = scores.col(k);
        const PolicyTree after = fit_policy_tree(study.rows(), study.all(), turned, {});
        EXPECT_EQ(value_of(after.tree, study, turned), value_of(before.tree, study, scores));
    }
}

TEST(PolicyTree, HasNoSplitThatGainsNothing) {
    Rng rng(102, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 100, 3, 3);
    Matrix scores(100, 3);
    for (Eigen::Index i = 0; i < 100; ++i)
        scores.row(i) = Eigen::RowVector3d(0.3, 0.1, 0.1).array() + 0.1 * static_cast<double>(i % 7);
    const PolicyTree same = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3});
    EXPECT_EQ(leaf_count(same.tree.tree), 1U);
    EXPECT_EQ(same.tree.leaves.front().treatment, 1);
    // One split says all there is to say.
    for (Eigen::Index i = 0; i < 100; ++i) scores(i, 0) = study.features.values(i, 0) > 0 ? -1 : 1;
    if (study.features.levels[0] == 0) {
        EXPECT_LE(leaf_count(fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3}).tree.tree), 2U);
    }
}

TEST(PolicyTree, StepsAreSaidToBeApproximateAndNeverBetter) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(103, Draw::test, index);
        RandomStudy study = random_treated_rows(rng, 60, 2, 2);
        study.features.levels = {0, 0};
        for (double& value : study.features.values.reshaped()) value = rng.normal();
        const Matrix scores = random_scores(rng, 60, 2);
        const PolicyTree exact = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3, .split_step = 1});
        const PolicyTree coarse = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3, .split_step = 15});
        const PolicyTree bounded = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3, .most_work = 1e4});
        const PolicyTree two = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 2, .split_step = 15});
        EXPECT_TRUE(exact.is_exact);
        EXPECT_TRUE(two.is_exact);  // steps are for the levels above the last two
        EXPECT_FALSE(coarse.is_exact);
        EXPECT_FALSE(bounded.is_exact);
        EXPECT_GT(bounded.split_step, 1U);
        const double least = value_of(exact.tree, study, scores);
        EXPECT_LE(least, value_of(coarse.tree, study, scores));
        EXPECT_LE(value_of(coarse.tree, study, scores), value_of(two.tree, study, scores));
        // Values that are further apart than the steps are all tried.
        for (double& value : study.features.values.reshaped()) value = value > 0 ? 1 : 0;
        EXPECT_TRUE(fit_policy_tree(study.rows(), study.all(), scores, {.depth = 3, .split_step = 5}).is_exact);
    }
}

TEST(PolicyTree, ManyCategoriesAreExactBelowAndOrderedAbove) {
    Rng rng(104, Draw::test);
    RandomStudy study = random_treated_rows(rng, 400, 1, 2);
    study.features.levels = {20};
    Matrix scores(400, 2);
    for (Eigen::Index i = 0; i < 400; ++i) {
        const auto level = static_cast<double>(rng.below(20));
        study.features.values(i, 0) = level;
        const int best = static_cast<int>(level) % 3 == 0 ? 1 : 0;
        scores(i, best) = 0;
        scores(i, 1 - best) = 1;
    }
    const PolicyTree one = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 1});
    EXPECT_TRUE(one.is_exact);
    EXPECT_EQ(value_of(one.tree, study, scores), 0);
    const PolicyTree two = fit_policy_tree(study.rows(), study.all(), scores, {.depth = 2});
    EXPECT_FALSE(two.is_exact);
    EXPECT_EQ(two.tree, one.tree);
}

TEST(PolicyTree, LeavesRankAllTreatmentsByTheirScores) {
    Rng rng(105, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 200, 4, 3);
    const Matrix scores = random_scores(rng, 200, 3);
    const PersonalizationTree tree = fit_policy_tree(study.rows(), study.all(), scores, {}).tree;
    for (std::size_t node = 0; node < tree.tree.nodes.size(); ++node) {
        if (!tree.tree.nodes[node].is_leaf()) continue;
        Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(3);
        std::vector<std::size_t> rows(3);
        double weight = 0;
        for (std::size_t row = 0; row < 200; ++row) {
            if (leaf_of(tree.tree, study.features, row) != static_cast<int>(node)) continue;
            sums += study.weight[row] * scores.row(static_cast<Eigen::Index>(row));
            weight += study.weight[row];
            ++rows[static_cast<std::size_t>(study.treatment[row])];
        }
        EXPECT_EQ(tree.leaves[node].rows, rows);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(tree.leaves[node].outcomes[static_cast<std::size_t>(k)], sums[k] / weight, 1e-12);
    }
}

TEST(PolicyTree, SaysWhatItCannotLearnFrom) {
    Rng rng(106, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 20, 2, 2);
    Matrix scores = random_scores(rng, 20, 2);
    EXPECT_THROW((void)fit_policy_tree(study.rows(), {}, Matrix(0, 2), {}), Error);
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores, {.depth = 6}), Error);
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores, {.depth = -1}), Error);
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores, {.leaf_rows = 0}), Error);
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores.leftCols(1), {}), Error);
    scores(3, 1) = std::numeric_limits<double>::infinity();
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores, {}), Error);
    const auto cancel = [](double, std::string_view) { return false; };
    scores(3, 1) = 0;
    EXPECT_THROW((void)fit_policy_tree(study.rows(), study.all(), scores, {}, cancel), Error);
}

TEST(PrefixExtremes, AreThoseOfAllPrefixes) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(107, Draw::test, index);
        std::vector<std::int64_t> numbers(1 + rng.below(200));
        PrefixExtremes extremes(numbers.size());
        for (int change = 0; change < 60; ++change) {
            const std::size_t place = rng.below(numbers.size());
            const std::int64_t amount = static_cast<std::int64_t>(rng.below(21)) - 10;
            numbers[place] += amount;
            extremes.add(place, amount);
            const std::size_t first = rng.below(numbers.size() + 1);
            const std::size_t last = first + rng.below(numbers.size() + 1 - first);
            const auto slow = [&](std::size_t from, std::size_t to) {
                Extremes of{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
                std::int64_t sum = 0;
                for (std::size_t count = 0; count <= numbers.size(); ++count) {
                    if (count > 0) sum += numbers[count - 1];
                    if (count < from || count > to) continue;
                    of = {std::min(of.lowest, sum), std::max(of.highest, sum)};
                }
                return of;
            };
            EXPECT_EQ(extremes.all().lowest, slow(0, numbers.size()).lowest);
            EXPECT_EQ(extremes.all().highest, slow(0, numbers.size()).highest);
            EXPECT_EQ(extremes.between(first, last).lowest, slow(first, last).lowest);
            EXPECT_EQ(extremes.between(first, last).highest, slow(first, last).highest);
        }
    }
}

}  // namespace
}  // namespace polyrx
