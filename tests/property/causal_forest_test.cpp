// SPDX-License-Identifier: Apache-2.0
// Causal forests: the relabeled criterion against trying every split, predictions against weighing every row.
#include <gtest/gtest.h>

#include "polyrx/baselines/causal/causal_forest.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "tests/support/compared_rows.hpp"

namespace polyrx {
namespace {

using test::ComparedRows;
using test::Rows;

CausalForestOptions small_forest(int trees) {
    CausalForestOptions options;
    options.trees = trees;
    options.residual_trees = 10;
    return options;
}

Residuals simple_residuals(const ComparedRows& rows) {
    Residuals residuals;
    for (std::size_t i = 0; i < rows.treatment.size(); ++i) {
        residuals.treatment.push_back(rows.treatment[i] - 0.4);
        residuals.outcome.push_back(rows.outcome[i] - 7);
    }
    return residuals;
}

// Least squares of Y over T in two passes.
struct Line {
    double mean_t = 0;
    double mean_y = 0;
    double variance = 0;
    double slope = 0;
};

Line line_of(const std::vector<double>& weight, const Residuals& residuals) {
    Line line;
    double total = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        total += weight[i];
        line.mean_t += weight[i] * residuals.treatment[i];
        line.mean_y += weight[i] * residuals.outcome[i];
    }
    line.mean_t /= total;
    line.mean_y /= total;
    double covariance = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const double t = residuals.treatment[i] - line.mean_t;
        line.variance += weight[i] * t * t / total;
        covariance += weight[i] * t * (residuals.outcome[i] - line.mean_y) / total;
    }
    line.slope = covariance / line.variance;
    return line;
}

// A node of a tree, by the definition: halves of its own, pulls relabeled at each node.
struct LiteralNode {
    const ComparedRows& study;
    const Residuals& residuals;
    const Subsample& halves;
    const CausalForestOptions& options;
    Rows node;

    [[nodiscard]] Rows of(const Rows& rows, const Rows& half) const {
        Rows result;
        std::ranges::copy_if(rows, std::back_inserter(result),
                             [&](std::size_t row) { return std::ranges::binary_search(half, row); });
        return result;
    }
    [[nodiscard]] Line line() const {
        std::vector<double> weight(study.weight.size());
        for (const std::size_t row : of(node, halves.structure)) weight[row] = study.weight[row];
        return line_of(weight, residuals);
    }
    [[nodiscard]] bool keeps_enough(const Rows& side) const {
        for (const Rows* half : {&halves.structure, &halves.estimation}) {
            const auto count = static_cast<double>(of(side, *half).size());
            const auto parent = static_cast<double>(of(node, *half).size());
            if (count < static_cast<double>(options.leaf_rows) || count < options.least_share * parent) return false;
        }
        return true;
    }
    [[nodiscard]] double worth(const Rows& side, const Line& fit) const {
        double sum = 0;
        double weight = 0;
        for (const std::size_t row : of(side, halves.structure)) {
            const double t = residuals.treatment[row] - fit.mean_t;
            sum += study.weight[row] * t * (residuals.outcome[row] - fit.mean_y - fit.slope * t) / fit.variance;
            weight += study.weight[row];
        }
        return sum * sum / weight;
    }
};

TEST(CausalForest, MakesTheBestSplitOfEachNodeWithPullsRelabeledThere) {
    std::size_t splits = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        const ComparedRows rows = test::compared_rows(rng, 60 + rng.below(120), 1 + rng.below(4), 0.2);
        const Residuals residuals = simple_residuals(rows);
        CausalForestOptions options = small_forest(2);
        options.leaf_rows = 2 + rng.below(4);
        options.least_share = rng.bernoulli(0.5) ? 0.05 : 0.2;
        options.seed = index;
        const CausalForest forest = fit_causal_forest(rows.features, rows.all(), residuals, rows.weight, options);
        for (std::size_t t = 0; t < 2; ++t) {
            const Subsample halves = draw_subsample(rows.treatment.size(), options, t);
            Rows sample = halves.structure;
            sample.insert(sample.end(), halves.estimation.begin(), halves.estimation.end());
            splits += leaf_count(forest.trees[t].tree) - 1;
            test::expect_greedy(
                forest.trees[t].tree, rows.features, sample,
                [&](const Rows& left, const Rows& right) {
                    LiteralNode literal{rows, residuals, halves, options, left};
                    literal.node.insert(literal.node.end(), right.begin(), right.end());
                    if (!literal.keeps_enough(left) || !literal.keeps_enough(right)) return -infinity;
                    const Line fit = literal.line();
                    if (fit.variance < 1e-9) return -infinity;
                    return literal.worth(left, fit) + literal.worth(right, fit);
                },
                [](const Rows&) { return 1e-12; },
                [&](int leaf, const Rows& all) {
                    const LiteralNode literal{rows, residuals, halves, options, all};
                    double weight = 0;
                    for (const std::size_t row : literal.of(all, halves.estimation)) weight += rows.weight[row];
                    EXPECT_NEAR(forest.trees[t].leaves[static_cast<std::size_t>(leaf)].weight, weight, 1e-9);
                });
        }
    }
    EXPECT_GT(splits, 60U);
}

TEST(CausalForest, PredictsTheSlopeOfAllRowsByTheirForestWeights) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(2, Draw::test, index);
        const ComparedRows rows = test::compared_rows(rng, 300, 4, 0.1);
        const Residuals residuals = simple_residuals(rows);
        const CausalForestOptions options = small_forest(20);
        const CausalForest forest = fit_causal_forest(rows.features, rows.all(), residuals, rows.weight, options);
        const Vector found = effects(forest, rows.features, 1);
        for (std::size_t x = 0; x < 300; x += 7) {
            std::vector<double> alpha(300);
            for (std::size_t t = 0; t < forest.trees.size(); ++t) {
                const AxisTree& tree = forest.trees[t].tree;
                const int leaf = leaf_of(tree, rows.features, x);
                Rows like_it;
                double weight = 0;
                for (const std::size_t row : draw_subsample(300, options, t).estimation)
                    if (leaf_of(tree, rows.features, row) == leaf) {
                        like_it.push_back(row);
                        weight += rows.weight[row];
                    }
                for (const std::size_t row : like_it) alpha[row] += rows.weight[row] / weight;
            }
            EXPECT_NEAR(found[static_cast<Eigen::Index>(x)], line_of(alpha, residuals).slope, 1e-9);
            EXPECT_EQ(found[static_cast<Eigen::Index>(x)], effect_of(forest, rows.features, x));
        }
    }
}

TEST(CausalForest, ResidualsOfEstimationRowsNeverChangeATreeNorThoseOfStructureRowsItsLeaves) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(3, Draw::test, index);
        const ComparedRows rows = test::compared_rows(rng, 300, 3, 0.1);
        Residuals residuals = simple_residuals(rows);
        // Exact sums, whatever the order: means that all rows share must stay the same to the bit.
        for (double& y : residuals.outcome) y = std::round(16 * y) / 16;
        const CausalForestOptions options = small_forest(1);
        const auto tree_of = [&](const Residuals& given) {
            return fit_causal_forest(rows.features, rows.all(), given, {}, options).trees.front();
        };
        const EffectTree before = tree_of(residuals);
        const Subsample halves = draw_subsample(300, options, 0);
        EXPECT_EQ(halves.structure.size() + halves.estimation.size(), 135U);
        Rows both;
        std::ranges::set_intersection(halves.structure, halves.estimation, std::back_inserter(both));
        EXPECT_TRUE(both.empty());

        Residuals poisoned = residuals;
        for (std::size_t i = 0; i + 1 < halves.estimation.size(); i += 2) {
            const double y = std::round(1'000 * rng.normal());
            poisoned.outcome[halves.estimation[i]] += y;
            poisoned.outcome[halves.estimation[i + 1]] -= y;
        }
        EXPECT_EQ(tree_of(poisoned).tree, before.tree);
        EXPECT_NE(tree_of(poisoned).leaves, before.leaves);

        poisoned = residuals;
        double sum = 0;
        for (const std::size_t row : halves.structure) sum += residuals.outcome[row];
        for (const std::size_t row : halves.structure) poisoned.outcome[row] *= 2;
        for (std::size_t row = 0; row < 300; ++row) {  // a row of no half makes up for it
            if (std::ranges::binary_search(halves.structure, row) || std::ranges::binary_search(halves.estimation, row))
                continue;
            poisoned.outcome[row] -= sum;
            break;
        }
        EXPECT_EQ(tree_of(poisoned).tree, before.tree);
        EXPECT_EQ(tree_of(poisoned).leaves, before.leaves);
    }
}

TEST(CausalForest, SwappingTheArmsChangesTheSignOfEffectsAndNothingElse) {
    Rng rng(4, Draw::test);
    ComparedRows rows = test::compared_rows(rng, 300, 3, 0.1);
    const auto found = [&] {
        return effects(
            fit_causal_forest(rows.features, rows.all(), rows.treatment, rows.outcome, rows.weight, small_forest(20)),
            rows.features, 1);
    };
    const Vector before = found();
    for (int& arm : rows.treatment) arm = 1 - arm;
    EXPECT_EQ(before, -found());
}

TEST(CausalForest, IsTheSameForAnyNumberOfThreads) {
    Rng rng(5, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 400, 4, 0.1);
    CausalForestOptions options = small_forest(15);
    const auto fitted = [&](int threads) {
        options.threads = threads;
        return fit_causal_forest(rows.features, rows.all(), rows.treatment, rows.outcome, rows.weight, options);
    };
    const CausalForest one = fitted(1);
    for (const int threads : {2, 4}) {
        EXPECT_EQ(fitted(threads), one);
        EXPECT_EQ(effects(one, rows.features, threads), effects(one, rows.features, 1));
    }
}

TEST(CausalForest, FindsAPlantedEffectInSpiteOfConfounding) {
    Rng rng(6, Draw::test);
    constexpr std::size_t n = 3'000;
    FeatureRows features{Eigen::MatrixXd(n, 4), {0, 0, 0, 0}};
    std::vector<int> treated;
    std::vector<double> outcome;
    std::vector<double> truth;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(n); ++i) {
        for (Eigen::Index f = 0; f < 4; ++f) features.values(i, f) = rng.normal();
        truth.push_back(features.values(i, 0) > 0 ? 2 : -1);
        // Who is worse off without is treated more often.
        treated.push_back(rng.bernoulli(1 / (1 + std::exp(-features.values(i, 1)))) ? 1 : 0);
        outcome.push_back(3 * features.values(i, 1) + treated.back() * truth.back() + 0.5 * rng.normal());
    }
    const CausalForest forest = fit_causal_forest(features, test::all_of(n), treated, outcome, {}, {});
    const Vector found = effects(forest, features, 1);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) error += std::pow(found[static_cast<Eigen::Index>(i)] - truth[i], 2) / n;
    EXPECT_LT(std::sqrt(error), 0.5);  // a constant has 1.5; without residuals the effect would be about 2.5 too high
}

TEST(CausalForest, DegenerateDataHasNumbersForAnswers) {
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
        const CausalForest forest = fit_causal_forest(features, rows, treated, outcome, {}, small_forest(5));
        return effect_of(forest, features, 0);
    };
    EXPECT_NEAR(effect(test::all_of(40)), 3, 0.2);  // constant features, duplicate rows, a column without values
    EXPECT_TRUE(std::isfinite(effect({0, 1})));     // one row of each arm
    EXPECT_TRUE(std::isfinite(effect({0, 1, 3, 5, 7})));
    EXPECT_EQ(effect({0, 2, 4}), 0);  // one arm only
    EXPECT_EQ(effect({7}), 0);
    EXPECT_EQ(effect({}), 0);
}

TEST(CausalForest, RefusesOptionsThatMeanNothing) {
    const FeatureRows features{Eigen::MatrixXd::Zero(2, 1), {0}};
    const Residuals residuals{{1, -1}, {1, -1}};
    const auto refused = [&](auto change) {
        CausalForestOptions options;
        change(options);
        EXPECT_THROW((void)fit_causal_forest(features, Rows{0, 1}, residuals, {}, options), Error);
    };
    refused([](CausalForestOptions& options) { options.trees = 0; });
    refused([](CausalForestOptions& options) { options.subsample = 0; });
    refused([](CausalForestOptions& options) { options.subsample = 1.5; });
    refused([](CausalForestOptions& options) { options.leaf_rows = 0; });
    refused([](CausalForestOptions& options) { options.least_share = 0.6; });
}

}  // namespace
}  // namespace polyrx
