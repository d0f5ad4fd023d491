// SPDX-License-Identifier: Apache-2.0
// Causal trees: the honest criterion against trying every split, and halves that never mix.
#include <gtest/gtest.h>

#include "polyrx/baselines/causal/causal_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/nuisance/stratified_folds.hpp"
#include "tests/support/slow_honest_criterion.hpp"

namespace polyrx {
namespace {

using test::ComparedRows;
using test::Rows;

CausalTreeOptions unpruned(std::size_t arm_rows) {
    CausalTreeOptions options;
    options.arm_rows = arm_rows;
    options.folds = 0;
    return options;
}

CausalTree fitted(const ComparedRows& rows, const CausalTreeOptions& options) {
    return fit_causal_tree(rows.features, rows.all(), rows.treatment, rows.outcome, rows.weight, options);
}

TEST(CausalTree, MakesTheBestSplitOfEachNodeAndTakesEffectsFromTheOtherHalf) {
    std::size_t splits = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(1, Draw::test, index);
        const ComparedRows rows = test::compared_rows(rng, 20 + rng.below(80), 1 + rng.below(4), 0.2);
        const CausalTreeOptions options = unpruned(2 + rng.below(3));
        const CausalTree tree = fitted(rows, options);
        splits += leaf_count(tree.tree) - 1;
        const test::LiteralHonestCriterion literal{rows, honest_halves(rows.all(), rows.treatment, options.seed),
                                                   options.arm_rows};
        test::expect_greedy(
            tree.tree, rows.features, rows.all(),
            [&](const Rows& left, const Rows& right) {
                if (!literal.is_allowed(left) || !literal.is_allowed(right)) return -infinity;
                return literal.worth(left) + literal.worth(right);
            },
            [&](const Rows& all) { return literal.is_allowed(all) ? literal.worth(all) : infinity; },
            [&](int leaf, const Rows& all) {
                const ArmMeans& means = tree.means[static_cast<std::size_t>(leaf)];
                const Rows treated = literal.of_arm(all, literal.halves.estimation, 1);
                const Rows control = literal.of_arm(all, literal.halves.estimation, 0);
                EXPECT_EQ(means.treated_rows, treated.size());
                EXPECT_EQ(means.control_rows, control.size());
                EXPECT_NEAR(means.treated, literal.mean(treated), 1e-12);
                EXPECT_NEAR(means.control, literal.mean(control), 1e-12);
            });
    }
    EXPECT_GT(splits, 60U);  // or it would have been a test of leaves
}

TEST(CausalTree, OutcomesOfTheEstimationHalfNeverChangeTheStructureNorThoseOfTheOtherTheEffects) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(2, Draw::test, index);
        const ComparedRows rows = test::compared_rows(rng, 400, 3, 0.1);
        CausalTreeOptions options;
        options.arm_rows = 5;
        const CausalTree before = fitted(rows, options);
        const HonestHalves halves = honest_halves(rows.all(), rows.treatment, options.seed);
        ASSERT_EQ(halves.structure.size() + halves.estimation.size(), 400U);

        ComparedRows poisoned = rows;
        for (const std::size_t row : halves.estimation) poisoned.outcome[row] = 1e6 * rng.normal();
        EXPECT_EQ(fitted(poisoned, options).tree, before.tree);

        // Moving and stretching all outcomes of the structure half leaves its splits, as it does the criterion's order.
        poisoned = rows;
        for (const std::size_t row : halves.structure) poisoned.outcome[row] = 1024 * rows.outcome[row];
        const CausalTree after = fitted(poisoned, options);
        EXPECT_EQ(after.tree, before.tree);
        EXPECT_EQ(after.means, before.means);
    }
}

TEST(CausalTree, SwappingTheArmsChangesTheSignOfEffectsAndNothingElse) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(3, Draw::test, index);
        ComparedRows rows = test::compared_rows(rng, 150, 3, 0.1);
        CausalTreeOptions options;
        options.arm_rows = 4;
        const CausalTree before = fitted(rows, options);
        for (int& arm : rows.treatment) arm = 1 - arm;
        const CausalTree after = fitted(rows, options);
        EXPECT_EQ(before.tree, after.tree);
        EXPECT_EQ(effects(before, rows.features, 1), -effects(after, rows.features, 1));
    }
}

TEST(CausalTree, IsTheSameForAnyNumberOfThreads) {
    Rng rng(4, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 600, 4, 0.1);
    CausalTreeOptions options;
    const CausalTree one = fitted(rows, options);
    for (const int threads : {2, 4}) {
        options.threads = threads;
        EXPECT_EQ(fitted(rows, options), one);
        EXPECT_EQ(effects(one, rows.features, threads), effects(one, rows.features, 1));
    }
}

TEST(CausalTree, FindsAPlantedEffectAndPrunesMostOfWhatIsNone) {
    std::size_t leaves = 0;
    std::size_t leaves_unpruned = 0;
    double error = 0;
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(5, Draw::test, index);
        ComparedRows rows = test::compared_rows(rng, 2'000, 5, 0);
        for (Eigen::Index i = 0; i < 2'000; ++i)
            rows.features.values(i, 0) = rows.effect[static_cast<std::size_t>(i)] > 0 ? rng.uniform() : -rng.uniform();
        rows.features.levels[0] = 0;
        const CausalTree tree = fitted(rows, {});
        leaves += leaf_count(tree.tree);
        leaves_unpruned += leaf_count(fitted(rows, unpruned(10)).tree);
        const Vector found = effects(tree, rows.features, 1);
        for (std::size_t i = 0; i < 2'000; ++i)
            error += std::pow(found[static_cast<Eigen::Index>(i)] - rows.effect[i], 2) / 20'000;
    }
    EXPECT_GT(leaves_unpruned, 3 * leaves);  // 2 are right
    EXPECT_LT(std::sqrt(error), 0.3);        // a constant has 1.5
}

TEST(CausalTree, OnlySharesOfTheWeightCount) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(6, Draw::test, index);
        ComparedRows rows = test::compared_rows(rng, 200, 3, 0.1);
        const CausalTree once = fitted(rows, {});
        for (double& weight : rows.weight) weight *= 4;
        EXPECT_EQ(fitted(rows, {}), once);
    }
}

TEST(CausalTree, DegenerateDataHasNumbersForAnswers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    FeatureRows features{Eigen::MatrixXd(40, 3), {0, 3, 0}};
    std::vector<int> treated;
    std::vector<double> outcome;
    for (Eigen::Index i = 0; i < 40; ++i) {
        features.values.row(i) << 1, 2, nan;
        treated.push_back(i % 2 == 0 ? 1 : 0);
        outcome.push_back(treated.back() * 3.0);
    }
    const auto effect = [&](const Rows& rows) {
        const CausalTree tree = fit_causal_tree(features, rows, treated, outcome, {}, {});
        EXPECT_EQ(leaf_count(tree.tree), 1U);
        return effect_of(tree, features, 0);
    };
    EXPECT_EQ(effect(test::all_of(40)), 3);  // constant features, duplicate rows, a column without values
    EXPECT_EQ(effect({0, 1}), 3);            // one row of each arm
    EXPECT_EQ(effect({0, 1, 3, 5, 7}), 3);   // one row of one arm
    EXPECT_EQ(effect({0, 2, 4}), 0);         // one arm only
    EXPECT_EQ(effect({7}), 0);
    EXPECT_EQ(effect({}), 0);
    // Where all outcomes are the same there is nothing to split for, whatever rounding says.
    for (Eigen::Index i = 0; i < 40; ++i) features.values(i, 0) = static_cast<double>(i);
    std::ranges::fill(outcome, 0.1);
    CausalTreeOptions options = unpruned(2);
    const CausalTree tree = fit_causal_tree(features, test::all_of(40), treated, outcome, {}, options);
    EXPECT_EQ(leaf_count(tree.tree), 1U);
    options.arm_rows = 1;
    EXPECT_THROW((void)fit_causal_tree(features, test::all_of(40), treated, outcome, {}, options), Error);
}

TEST(DealByArm, PartsDifferByAtMostOneRowAndOneOfEachArm) {
    for (std::uint64_t index = 0; index < 200; ++index) {
        Rng rng(7, Draw::test, index);
        const std::size_t parts = 2 + rng.below(5);
        std::vector<int> arm(rng.below(40));
        const double share = rng.uniform();
        for (int& each : arm) each = rng.bernoulli(share) ? 1 : 0;
        const std::vector<std::size_t> part = stratified_folds(arm, parts, Rng(index, Draw::test));
        std::vector<std::size_t> all(parts);
        std::vector<std::size_t> treated(parts);
        for (std::size_t i = 0; i < arm.size(); ++i) {
            ++all[part[i]];
            treated[part[i]] += static_cast<std::size_t>(arm[i]);
        }
        for (const auto& counts : {all, treated}) EXPECT_LE(std::ranges::max(counts) - std::ranges::min(counts), 1U);
        for (int& each : arm) each = 1 - each;
        EXPECT_EQ(stratified_folds(arm, parts, Rng(index, Draw::test)), part);
    }
}

}  // namespace
}  // namespace polyrx
