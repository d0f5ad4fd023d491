// SPDX-License-Identifier: Apache-2.0
// Optimal prescriptive trees, against the definition and trying every tree.
#include "polyrx/baselines/optimal/optimal_tree.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <atomic>
#include <numeric>

#include "polyrx/baselines/optimal/fit_optimal_tree.hpp"
#include "polyrx/baselines/personalization/personalization_criterion.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/network/relu_network.hpp"
#include "tests/support/slow_optimal_tree.hpp"

namespace polyrx {
namespace {

using test::EncodedStudy;
using test::random_encoded_study;
using test::Rows;

std::vector<RowNumber> numbers(std::size_t rows) {
    std::vector<RowNumber> list(rows);
    std::iota(list.begin(), list.end(), RowNumber{0});
    return list;
}

std::vector<OptimalTreeOptions> variants() {
    std::vector<OptimalTreeOptions> list;
    for (const OptimalSplits splits : {OptimalSplits::axis, OptimalSplits::hyperplane})
        for (const OptimalLeaves leaves : {OptimalLeaves::constant, OptimalLeaves::linear})
            list.push_back({.splits = splits, .leaves = leaves});
    return list;
}

TEST(OptimalLeaf, CostsWhatTheDefinitionSays) {
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(1, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 8 + rng.below(40), 2, 2 + static_cast<int>(index % 3));
        const OptimalTreeOptions options{
            .mu = rng.uniform(), .leaf_rows = 1 + rng.below(8), .treatment_rows = 1 + rng.below(4)};
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafJudge judge(data, all, options);
        const std::span some = std::span(all).first(1 + rng.below(all.size()));
        const LeafFit leaf = judge.fit(some);
        const double expected = test::slow_leaf_cost(study, test::standard_outcomes(study, study.all()),
                                                     Rows(some.begin(), some.end()), options);
        EXPECT_EQ(leaf.admissible, std::isfinite(expected));
        if (leaf.admissible) {
            EXPECT_NEAR(leaf.cost, expected, 1e-9);
        }
    }
}

TEST(OptimalLeaf, WithMuOfOneCostsTheImpurityOfPersonalizationTrees) {
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(2, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 20 + rng.below(60), 2, 2 + static_cast<int>(index % 3));
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafFit leaf = LeafJudge(data, all, {.mu = 1, .leaf_rows = 1, .treatment_rows = 1}).fit(all);
        std::vector<PersonalizationCriterion::Target> targets;
        for (const RowNumber row : all)
            targets.push_back({data.treatment[row], data.weight[row], data.outcome[row], 1});
        const PersonalizationCriterion criterion(targets, study.treatments, 1);
        PersonalizationCriterion::Tally tally = criterion.nothing();
        for (const RowNumber row : all) criterion.add(tally, row);
        const double weight = std::accumulate(data.weight.begin(), data.weight.end(), 0.0);
        const int best = PersonalizationCriterion::best_of(tally);
        EXPECT_NEAR(leaf.cost, weight * PersonalizationCriterion::mean_of(tally, best), 1e-9);
        EXPECT_EQ(leaf.treatment, best);
    }
}

TEST(OptimalLeaf, IsARidgeRegressionOfEachTreatment) {
    for (std::uint64_t index = 0; index < 40; ++index) {
        Rng rng(3, Draw::test, index);
        const int inputs = 1 + static_cast<int>(rng.below(6));
        const EncodedStudy study = random_encoded_study(rng, 12 + rng.below(60), inputs, 2);
        const OptimalTreeOptions options{
            .leaves = OptimalLeaves::linear, .leaf_rows = 1, .treatment_rows = 3, .penalty = 0.1 + 5 * rng.uniform()};
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafFit leaf = LeafJudge(data, all, options).fit(all);
        ASSERT_TRUE(leaf.admissible);
        std::vector<Vector> solutions;
        double squares = 0;
        for (int arm = 0; arm < 2; ++arm) {
            // All coefficients at once, the intercept last and free.
            Matrix normal = Matrix::Zero(inputs + 1, inputs + 1);
            Vector right = Vector::Zero(inputs + 1);
            Vector x(inputs + 1);
            normal.diagonal().head(inputs).setConstant(options.penalty);
            for (const RowNumber row : all) {
                if (data.treatment[row] != arm) continue;
                x << data.values.row(row).transpose(), 1;
                normal += data.weight[row] * x * x.transpose();
                right += data.weight[row] * data.outcome[row] * x;
            }
            solutions.push_back(normal.fullPivLu().solve(right));
            double total = 0;
            for (const RowNumber row : all) {
                x << data.values.row(row).transpose(), 1;
                const double predicted = solutions.back().dot(x);
                EXPECT_NEAR(leaf.predicted(data, row, arm), predicted, 1e-7);
                total += data.weight[row] * predicted;
                if (data.treatment[row] == arm)
                    squares += data.weight[row] * (data.outcome[row] - predicted) * (data.outcome[row] - predicted);
            }
            EXPECT_NEAR(leaf.totals[static_cast<std::size_t>(arm)], total, 1e-6);
        }
        // Literally: outcomes of those who got it, predictions for the others.
        double expected = 0;
        for (const RowNumber row : all)
            expected +=
                data.weight[row] *
                (data.treatment[row] == leaf.treatment ? data.outcome[row] : leaf.predicted(data, row, leaf.treatment));
        EXPECT_NEAR(leaf.cost, options.mu * expected + (1 - options.mu) * squares, 1e-6);
        EXPECT_EQ(leaf.treatment, leaf.totals[1] < leaf.totals[0] ? 1 : 0);
    }
}

TEST(OptimalSplit, ASweepFindsTheBestCutOfEachInput) {
    std::size_t found = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(4, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 20 + rng.below(40), 4, 2 + static_cast<int>(index % 3));
        const OptimalTreeOptions options{.leaf_rows = 1 + rng.below(5), .treatment_rows = 1 + rng.below(3)};
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafJudge judge(data, all, options);
        const NodeColumns columns(data, all);
        Fork<OptimalLeaves::constant> fork(
            judge, {all, std::vector<int>(all.size(), 0), std::vector<int>(all.size(), 1), 2, {}});
        for (int input = 0; input < 4; ++input) {
            FoundSplit best;
            try_cuts(fork, columns.of(input), input, best);
            double expected = infinity;
            for (const RowNumber border : all) {
                std::vector<RowNumber> sides[2];
                for (const RowNumber row : all)
                    sides[data.value(row, input) > data.value(border, input) ? 1 : 0].push_back(row);
                const LeafFit low = judge.fit(sides[0]);
                const LeafFit high = judge.fit(sides[1]);
                if (low.admissible && high.admissible) expected = std::min(expected, low.cost + high.cost);
            }
            ASSERT_EQ(std::isfinite(best.cost), std::isfinite(expected));
            if (!std::isfinite(expected)) continue;
            EXPECT_NEAR(best.cost, expected, 1e-9);
            std::vector<RowNumber> sides[2];
            for (const RowNumber row : all) sides[best.split.goes_high(data, row) ? 1 : 0].push_back(row);
            EXPECT_NEAR(judge.fit(sides[0]).cost + judge.fit(sides[1]).cost, expected, 1e-9);
            ++found;
        }
    }
    EXPECT_GT(found, 150U);
}

TEST(OptimalTree, RestartsFindTheBestTreeThereIs) {
    constexpr std::uint64_t problems = 200;
    std::uint64_t best = 0;
    for (std::uint64_t index = 0; index < problems; ++index) {
        Rng rng(5, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 16 + rng.below(25), 1 + static_cast<int>(rng.below(4)),
                                                        2 + static_cast<int>(index % 2));
        const OptimalTreeOptions options{.complexity = index % 3 == 0 ? 0 : 0.1 * rng.uniform(),
                                         .depth = 2,
                                         .leaf_rows = 1 + rng.below(5),
                                         .treatment_rows = 1 + rng.below(3)};
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafJudge judge(data, all, options);
        double found = infinity;
        for (std::uint64_t restart = 0; restart < 100; ++restart)
            found = std::min(found, descend(judge, all, options, Rng(1, Draw::restart, restart)).objective);
        const double weight = std::accumulate(study.weight.begin(), study.weight.end(), 0.0);
        const double expected = test::slow_best_cost(study, test::standard_outcomes(study, study.all()), study.all(),
                                                     options, options.complexity * weight, 2) /
                                weight;
        EXPECT_GT(found, expected - 1e-9);
        best += found < expected + 1e-9 ? 1 : 0;
    }
    EXPECT_GE(best, problems * 95 / 100);
}

TEST(OptimalTree, TheObjectiveFallsWithEveryChangeAndIsThatOfTheTree) {
    std::size_t changes = 0;
    for (const OptimalTreeOptions& variant : variants()) {
        for (std::uint64_t index = 0; index < 10; ++index) {
            Rng rng(6, Draw::test, index);
            const EncodedStudy study = random_encoded_study(rng, 120, 5, 2 + static_cast<int>(index % 2));
            OptimalTreeOptions options = variant;
            options.complexity = index % 2 == 0 ? 0 : 0.01;
            options.depth = index % 3 == 0 ? 0 : 3;
            options.leaf_rows = 5;
            options.treatment_rows = 3;
            const OptimalRows data(study.inputs, study.rows(), study.all());
            const std::vector<RowNumber> all = numbers(data.count());
            const LeafJudge judge(data, all, options);
            const Descent descent = descend(judge, all, options, Rng(1, Draw::restart, index));
            for (std::size_t i = 1; i < descent.trace.size(); ++i) EXPECT_LT(descent.trace[i], descent.trace[i - 1]);
            changes += descent.trace.size() - 1;
            EXPECT_NEAR(objective_of(descent.tree, judge, options.complexity), descent.objective, 1e-12);
            // Leaves are of the rows that arrive there, and admissible.
            std::vector<std::vector<RowNumber>> arrived(descent.tree.nodes.size());
            for (const RowNumber row : all)
                arrived[static_cast<std::size_t>(leaf_of(descent.tree, data, row))].push_back(row);
            for (std::size_t node = 0; node < arrived.size(); ++node) {
                if (!descent.tree.nodes[node].is_leaf()) continue;
                EXPECT_EQ(descent.tree.nodes[node].rows, arrived[node]);
                const LeafFit again = judge.fit(arrived[node]);
                EXPECT_TRUE(again.admissible);
                EXPECT_EQ(again.cost, descent.tree.nodes[node].fit.cost);
            }
        }
    }
    EXPECT_GT(changes, 100U);
}

TEST(OptimalTree, WeakestLinksAreTheBestOfTheirComplexity) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(7, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 150, 4, 2);
        const OptimalTreeOptions options{.depth = 4, .leaf_rows = 4, .treatment_rows = 2};
        const OptimalRows data(study.inputs, study.rows(), study.all());
        const std::vector<RowNumber> all = numbers(data.count());
        const LeafJudge judge(data, all, options);
        const std::vector<PrunedTree> trees =
            weakest_links(descend(judge, all, options, Rng(1, Draw::restart, index)).tree, judge);
        EXPECT_EQ(split_count(trees.back().tree), 0U);
        for (std::size_t i = 0; i < trees.size(); ++i) {
            if (i > 0) {
                EXPECT_GE(trees[i].complexity, trees[i - 1].complexity);
                EXPECT_LT(split_count(trees[i].tree), split_count(trees[i - 1].tree));
            }
            for (const PrunedTree& other : trees)
                EXPECT_LE(objective_of(trees[i].tree, judge, trees[i].complexity),
                          objective_of(other.tree, judge, trees[i].complexity) + 1e-9);
        }
    }
}

TEST(OptimalTree, IsTheSameForAnyNumberOfThreads) {
    Rng rng(8, Draw::test);
    const EncodedStudy study = random_encoded_study(rng, 150, 6, 3);
    for (const OptimalTreeOptions& options : variants()) {
        const OptimalTreeFit one = fit_optimal_tree(study.inputs, study.rows(), study.all(),
                                                    {.options = options, .restarts = 4, .seed = 3, .threads = 1});
        const OptimalTreeFit four = fit_optimal_tree(study.inputs, study.rows(), study.all(),
                                                     {.options = options, .restarts = 4, .seed = 3, .threads = 4});
        EXPECT_EQ(one.tree, four.tree);
        EXPECT_EQ(one.chosen, four.chosen);
        EXPECT_EQ(one.searches, one.planned);
        EXPECT_FALSE(one.out_of_time || one.canceled);
    }
}

TEST(OptimalTree, FindsThePlantedPolicy) {
    Rng rng(9, Draw::test);
    EncodedStudy study = random_encoded_study(rng, 600, 4, 2);
    std::vector<int> right;
    for (Eigen::Index i = 0; i < study.inputs.rows(); ++i) {
        for (int j = 0; j < 4; ++j) study.inputs(i, j) = rng.normal();
        right.push_back(study.inputs(i, 0) + study.inputs(i, 1) > 0.3 ? 1 : 0);
        const auto row = static_cast<std::size_t>(i);
        study.outcome[row] = (study.treatment[row] == right.back() ? -2 : 2) + 0.3 * rng.normal();
    }
    std::vector<double> held_out_costs;
    for (const auto& [options, least] : {std::pair{variants()[0], 0.85}, std::pair{variants()[2], 0.97}}) {
        const OptimalTreeFit fit =
            fit_optimal_tree(study.inputs, study.rows(), study.all(), {.options = options, .restarts = 2});
        const std::vector<int> prescribed = argmin_rows(scores(fit.tree, study.inputs, 1));
        std::size_t same = 0;
        for (std::size_t i = 0; i < right.size(); ++i) same += prescribed[i] == right[i] ? 1 : 0;
        EXPECT_GT(static_cast<double>(same), least * static_cast<double>(right.size()));
        ASSERT_TRUE(fit.held_out_cost);
        EXPECT_EQ(*fit.held_out_cost, std::ranges::min(fit.tried, {}, &OptimalTreeTrial::cost).cost);
        held_out_costs.push_back(*fit.held_out_cost);
    }
    EXPECT_LT(held_out_costs[1], held_out_costs[0]) << "the policy is a hyperplane, and held-out rows tell";
}

TEST(OptimalTree, DoesNotDependOnTheUnitOfWeights) {
    Rng rng(15, Draw::test);
    EncodedStudy study = random_encoded_study(rng, 150, 4, 2);
    for (double& weight : study.weight) weight = 1 + static_cast<double>(rng.below(4));
    EncodedStudy heavy = study;
    for (double& weight : heavy.weight) weight *= 1024;
    for (const OptimalTreeOptions& options : variants()) {
        const auto scores_of = [&](const EncodedStudy& of) {
            return scores(fit_optimal_tree(of.inputs, of.rows(), of.all(), {.options = options, .restarts = 2}).tree,
                          of.inputs, 1);
        };
        EXPECT_EQ(scores_of(study), scores_of(heavy));
    }
}

TEST(OptimalTree, PrescribesWhatEnoughRowsGotAndPutsTheOthersBehind) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(10, Draw::test, index);
        EncodedStudy study = random_encoded_study(rng, 200, 4, 4);
        for (int& treatment : study.treatment)
            if (treatment == 1 && rng.bernoulli(0.8)) treatment = 0;
        for (const OptimalTreeOptions& options : variants()) {
            const OptimalTreeFit fit =
                fit_optimal_tree(study.inputs, study.rows(), study.all(), {.options = options, .restarts = 1});
            for (const OptimalNode& node : fit.tree.nodes) {
                if (!node.is_leaf()) continue;
                double worst = -infinity;
                double others = infinity;
                for (std::size_t k = 0; k < 4; ++k)
                    if (node.leaf.rows[k] >= options.treatment_rows)
                        worst = std::max(worst, node.leaf.outcomes[k]);
                    else
                        others = std::min(others, node.leaf.outcomes[k]);
                EXPECT_LT(worst, others);
                EXPECT_GE(node.leaf.rows[static_cast<std::size_t>(node.leaf.treatment)], options.treatment_rows);
            }
        }
    }
}

// Of 48 rows 36 are left to choose with, too few for two leaves of 20. Without a complexity that says so, noise in all
// 48 would be split.
TEST(OptimalTree, StaysOneLeafWhereThatWasChosenForWantOfRows) {
    std::size_t chosen = 0;
    for (std::uint64_t index = 0; index < 40; ++index) {
        Rng rng(14, Draw::test, index);
        const EncodedStudy study = random_encoded_study(rng, 48, 4, 2);
        const OptimalTreeFit fit = fit_optimal_tree(study.inputs, study.rows(), study.all(), {.restarts = 2});
        if (fit.chosen.leaf_rows != 20) continue;
        ++chosen;
        EXPECT_EQ(fit.tree.nodes.size(), 1U) << "problem " << index;
    }
    EXPECT_GT(chosen, 5U);
}

TEST(OptimalTree, WhoStopsTheSearchHasTheBestTreeSoFar) {
    Rng rng(11, Draw::test);
    const EncodedStudy study = random_encoded_study(rng, 300, 6, 2);
    const auto fit_with = [&](double max_seconds, const Progress& progress) {
        return fit_optimal_tree(study.inputs, study.rows(), study.all(),
                                {.restarts = 50, .max_seconds = max_seconds, .threads = 2}, progress);
    };
    const auto stops_when = [](double share) {
        return [share](double done, std::string_view) { return done < share; };
    };
    const OptimalTreeFit whole = fit_with(0, {});
    for (const double share : {0.1, 0.5, 0.9}) {
        const OptimalTreeFit stopped = fit_with(0, stops_when(share));
        EXPECT_TRUE(stopped.canceled);
        EXPECT_LT(stopped.searches, stopped.planned);
        EXPECT_EQ(scores(stopped.tree, study.inputs, 1).cols(), 2);
    }
    EXPECT_THROW((void)fit_with(0, [](double, std::string_view) { return false; }), Error);
    const OptimalTreeFit hurried = fit_with(1e-9, {});
    EXPECT_TRUE(hurried.out_of_time);
    EXPECT_LT(hurried.searches, hurried.planned);
    EXPECT_EQ(scores(hurried.tree, study.inputs, 1).cols(), 2);
    EXPECT_FALSE(whole.canceled || whole.out_of_time);
}

TEST(OptimalTree, CutsOfOneInputAreHalfwayBetweenValues) {
    Rng rng(12, Draw::test);
    EncodedStudy study = random_encoded_study(rng, 400, 3, 2);
    for (double& value : study.inputs.reshaped()) value = std::round(value);
    const OptimalTreeFit fit = fit_optimal_tree(study.inputs, study.rows(), study.all(), {.restarts = 3});
    ASSERT_GT(fit.tree.nodes.size(), 1U);
    for (const OptimalNode& node : fit.tree.nodes) {
        if (node.is_leaf()) continue;
        EXPECT_EQ((node.weights.array() != 0).count(), 1);
        EXPECT_EQ(node.weights.maxCoeff(), 1);
        EXPECT_EQ(2 * node.constant, std::round(2 * node.constant));
    }
}

TEST(OptimalTree, SaysWhatItCannotLearnFrom) {
    Rng rng(13, Draw::test);
    const EncodedStudy study = random_encoded_study(rng, 20, 2, 2);
    EXPECT_THROW((void)fit_optimal_tree(study.inputs, study.rows(), {}, {}), Error);
    EXPECT_THROW((void)fit_optimal_tree(study.inputs, study.rows(), study.all(), {.restarts = -1}), Error);
    EXPECT_THROW((void)fit_optimal_tree(study.inputs, study.rows(), study.all(), {.options = {.leaf_rows = 0}}), Error);
    // One row is a leaf.
    const OptimalTreeFit fit = fit_optimal_tree(study.inputs, study.rows(), Rows{3}, {.restarts = 1});
    EXPECT_EQ(fit.tree.nodes.size(), 1U);
    EXPECT_EQ(fit.tree.nodes[0].leaf.treatment, study.treatment[3]);
    EXPECT_FALSE(fit.held_out_cost);
}

}  // namespace
}  // namespace polyrx
