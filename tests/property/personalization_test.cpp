// SPDX-License-Identifier: Apache-2.0
// Personalization trees and forests, against trying every split and judging it by the definition.
#include <gtest/gtest.h>

#include "polyrx/baselines/personalization/personalization_forest.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/network/relu_network.hpp"
#include "tests/support/not_a_number.hpp"
#include "tests/support/random_treated_rows.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;

Rows given(const RandomStudy& study, const Rows& rows, int k) {
    Rows those;
    for (const std::size_t row : rows)
        if (study.treatment[row] == k) those.push_back(row);
    return those;
}

double weight_of(const RandomStudy& study, const Rows& rows) {
    double sum = 0;
    for (const std::size_t row : rows) sum += study.weight[row];
    return sum;
}

double mean_of(const RandomStudy& study, const Rows& rows) {
    double sum = 0;
    for (const std::size_t row : rows) sum += study.weight[row] * study.outcome[row];
    return rows.empty() ? infinity : sum / weight_of(study, rows);
}

// |S| I(S)
double cost_of(const RandomStudy& study, const Rows& rows) {
    double least = infinity;
    for (int k = 0; k < study.treatments; ++k) least = std::min(least, mean_of(study, given(study, rows, k)));
    return weight_of(study, rows) * least;
}

std::vector<Rows> rows_of_nodes(const AxisTree& tree, const FeatureRows& features, const Rows& all) {
    std::vector<Rows> rows(tree.nodes.size());
    for (const std::size_t row : all) {
        int at = 0;
        for (;;) {
            rows[static_cast<std::size_t>(at)].push_back(row);
            const AxisNode& node = tree.nodes[static_cast<std::size_t>(at)];
            if (node.is_leaf()) break;
            const AxisSplit split = node.split();
            const double value = features.values(static_cast<Eigen::Index>(row), split.feature);
            at = node.left() + (goes_left(tree, split, value) ? 0 : 1);
        }
    }
    return rows;
}

const PersonalizationLeaf& leaf_at(const PersonalizationTree& tree, const FeatureRows& features, std::size_t row) {
    return tree.leaves[static_cast<std::size_t>(leaf_of(tree.tree, features, row))];
}

TEST(PersonalizationTree, MakesTheBestSplitOfEachNode) {
    std::size_t splits = 0;
    for (std::uint64_t index = 0; index < 80; ++index) {
        Rng rng(1, Draw::test, index);
        RandomStudy study =
            random_treated_rows(rng, 5 + rng.below(80), 1 + rng.below(5), 2 + static_cast<int>(index % 3));
        for (double& weight : study.weight) weight = 0.5 + rng.uniform();
        const std::size_t least_rows = 1 + rng.below(4);
        const auto worth = [&](const Rows& left, const Rows& right) {
            for (int k = 0; k < study.treatments; ++k)
                if (std::min(given(study, left, k).size(), given(study, right, k).size()) < least_rows)
                    return -infinity;
            return -(cost_of(study, left) + cost_of(study, right));
        };
        const PersonalizationTree tree =
            fit_personalization_tree(study.rows(), study.all(), {.depth = 0, .treatment_rows = least_rows});
        test::expect_greedy(
            tree.tree, study.features, study.all(), worth, [&](const Rows& rows) { return -cost_of(study, rows); },
            [&](int node, const Rows& rows) {
                const PersonalizationLeaf& leaf = tree.leaves[static_cast<std::size_t>(node)];
                for (int k = 0; k < study.treatments; ++k) {
                    const Rows those = given(study, rows, k);
                    const double outcome = leaf.outcomes[static_cast<std::size_t>(k)];
                    EXPECT_EQ(leaf.rows[static_cast<std::size_t>(k)], those.size());
                    EXPECT_TRUE(those.empty() ? outcome == infinity
                                              : std::abs(outcome - mean_of(study, those)) < 1e-12);
                }
                EXPECT_EQ(leaf.treatment, std::ranges::min_element(leaf.outcomes) - leaf.outcomes.begin());
            });
        const std::vector<Rows> rows = rows_of_nodes(tree.tree, study.features, study.all());
        for (std::size_t node = 0; node < rows.size(); ++node) {
            if (tree.tree.nodes[node].is_leaf()) continue;
            const auto left = static_cast<std::size_t>(tree.tree.nodes[node].left());
            EXPECT_LT(-worth(rows[left], rows[left + 1]), cost_of(study, rows[node]));
            ++splits;
        }
    }
    EXPECT_GT(splits, 200U);
}

TEST(PersonalizationTree, DoesNotSplitWhereTheCostDoesNotFall) {
    // Sums of tenths depend on their order, but all means are the same.
    Rng rng(2, Draw::test);
    RandomStudy study = random_treated_rows(rng, 300, 6, 3);
    for (double& weight : study.weight) weight = 0.1 + rng.uniform();
    for (double& outcome : study.outcome) outcome = 0.1;
    const PersonalizationTree tree = fit_personalization_tree(study.rows(), study.all(), {.treatment_rows = 1});
    EXPECT_EQ(leaf_count(tree.tree), 1U);
}

TEST(PersonalizationTree, KeepsToTheDepth) {
    Rng rng(3, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 400, 4, 2);
    for (const int depth : {1, 2, 3, 5}) {
        const PersonalizationTree tree =
            fit_personalization_tree(study.rows(), study.all(), {.depth = depth, .treatment_rows = 1});
        std::vector<int> depths(tree.tree.nodes.size());
        for (std::size_t node = 0; node < depths.size(); ++node)
            if (const int left = tree.tree.nodes[node].left(); left >= 0)
                depths[static_cast<std::size_t>(left)] = depths[static_cast<std::size_t>(left) + 1] = depths[node] + 1;
        EXPECT_EQ(*std::ranges::max_element(depths), depth);
    }
}

TEST(PersonalizationTree, AMonotoneTransformOfAFeatureChangesNoPrescriptionToATrainingRow) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(4, Draw::test, index);
        RandomStudy study = random_treated_rows(rng, 120, 4, 3);
        const PersonalizationOptions options{.depth = 0, .treatment_rows = 2};
        const Matrix before = scores(fit_personalization_tree(study.rows(), study.all(), options), study.features, 1);
        for (std::size_t f = 0; f < 4; ++f)
            if (study.features.levels[f] == 0)
                study.features.values.col(static_cast<Eigen::Index>(f)) =
                    study.features.values.col(static_cast<Eigen::Index>(f)).array().exp().eval();
        EXPECT_EQ(scores(fit_personalization_tree(study.rows(), study.all(), options), study.features, 1), before);
    }
}

TEST(PersonalizationTree, OtherNumbersOfTheTreatmentsPermuteTheAnswer) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(5, Draw::test, index);
        RandomStudy study = random_treated_rows(rng, 150, 4, 4);
        const PersonalizationOptions options{.depth = 0, .treatment_rows = 2};
        const PersonalizationTree before = fit_personalization_tree(study.rows(), study.all(), options);
        std::vector<int> renumbered = {0, 1, 2, 3};
        rng.shuffle(std::span(renumbered));
        for (int& t : study.treatment) t = renumbered[static_cast<std::size_t>(t)];
        const PersonalizationTree after = fit_personalization_tree(study.rows(), study.all(), options);
        ASSERT_EQ(after.tree, before.tree);
        for (std::size_t node = 0; node < before.leaves.size(); ++node) {
            const PersonalizationLeaf& a = before.leaves[node];
            const PersonalizationLeaf& b = after.leaves[node];
            if (!before.tree.nodes[node].is_leaf()) continue;
            for (std::size_t k = 0; k < 4; ++k) {
                EXPECT_EQ(b.outcomes[static_cast<std::size_t>(renumbered[k])], a.outcomes[k]);
                EXPECT_EQ(b.rows[static_cast<std::size_t>(renumbered[k])], a.rows[k]);
            }
            const bool tied = std::ranges::count(a.outcomes, *std::ranges::min_element(a.outcomes)) > 1;
            EXPECT_TRUE(tied || b.treatment == renumbered[static_cast<std::size_t>(a.treatment)]);
        }
    }
}

TEST(PersonalizationTree, DoublingRowsIsAWeightOfTwo) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(6, Draw::test, index);
        RandomStudy study = random_treated_rows(rng, 100, 4, 3);
        Rows twice = study.all();
        twice.insert(twice.end(), twice.begin(), twice.begin() + 100);
        const PersonalizationTree doubled =
            fit_personalization_tree(study.rows(), twice, {.depth = 0, .treatment_rows = 6});
        for (double& weight : study.weight) weight *= 2;
        const PersonalizationTree weighted =
            fit_personalization_tree(study.rows(), study.all(), {.depth = 0, .treatment_rows = 3});
        EXPECT_EQ(doubled.tree, weighted.tree);
        for (std::size_t row = 0; row < 100; ++row) {
            const PersonalizationLeaf& a = leaf_at(weighted, study.features, row);
            const PersonalizationLeaf& b = leaf_at(doubled, study.features, row);
            EXPECT_EQ(a.outcomes, b.outcomes);
            for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(2 * a.rows[k], b.rows[k]);
        }
    }
}

TEST(PersonalizationTree, LearnsFromTheNamedRowsOnly) {
    Rng rng(7, Draw::test);
    RandomStudy study = random_treated_rows(rng, 200, 4, 3);
    Rows some;
    for (std::size_t row = 0; row < 200; row += 2) some.push_back(row);
    const PersonalizationTree before = fit_personalization_tree(study.rows(), some, {});
    for (std::size_t row = 1; row < 200; row += 2) {
        study.outcome[row] = study.weight[row] = test::not_a_number;
        study.features.values.row(static_cast<Eigen::Index>(row)).setConstant(1);
    }
    EXPECT_EQ(fit_personalization_tree(study.rows(), some, {}), before);
}

TEST(PersonalizationTree, DegenerateDataHasNumbersForAnswers) {
    // One row of each of ten treatments: nothing can be split.
    RandomStudy study{{Eigen::MatrixXd(10, 3), {0, 3, 0}}, {}, 10, {}, std::vector<double>(10, 1)};
    for (int i = 0; i < 10; ++i) {
        study.features.values.row(i) << i, i % 3, test::not_a_number;
        study.treatment.push_back(i);
        study.outcome.push_back((i * 7 + 5) % 10);
    }
    PersonalizationTree tree = fit_personalization_tree(study.rows(), study.all(), {.treatment_rows = 1});
    EXPECT_EQ(leaf_count(tree.tree), 1U);
    EXPECT_EQ(tree.leaves[0].outcomes, study.outcome);
    EXPECT_EQ(tree.leaves[0].treatment, 5);
    // Treatments that nobody got are not prescribed, not even if all others are equal.
    std::ranges::fill(study.outcome, 3);
    tree = fit_personalization_tree(study.rows(), Rows{4, 7}, {.treatment_rows = 1});
    EXPECT_EQ(tree.leaves[0].treatment, 4);
    EXPECT_EQ(std::ranges::count(tree.leaves[0].outcomes, infinity), 8);
    EXPECT_EQ(argmin_rows(scores(tree, study.features, 1)), std::vector<int>(10, 4));
}

TEST(PersonalizationTree, ConstantFeaturesAndRowsThatAreAllTheSameMakeOneLeaf) {
    Rng rng(8, Draw::test);
    RandomStudy study = random_treated_rows(rng, 60, 3, 3);
    study.features.levels = {0, 4, 0};
    for (Eigen::Index row = 0; row < 60; ++row) study.features.values.row(row) << 1, 2, test::not_a_number;
    const PersonalizationTree tree = fit_personalization_tree(study.rows(), study.all(), {.treatment_rows = 1});
    EXPECT_EQ(leaf_count(tree.tree), 1U);
    for (int k = 0; k < 3; ++k)
        EXPECT_EQ(tree.leaves[0].outcomes[static_cast<std::size_t>(k)], mean_of(study, given(study, study.all(), k)));
    // Values that it never saw have answers too.
    study.features.values.setConstant(test::not_a_number);
    EXPECT_TRUE(scores(tree, study.features, 1).allFinite());
}

TEST(PersonalizationTree, AColumnWithoutValuesChangesNothing) {
    Rng rng(9, Draw::test);
    RandomStudy study = random_treated_rows(rng, 300, 3, 10);
    const PersonalizationOptions options{.depth = 0, .treatment_rows = 1};
    const PersonalizationTree before = fit_personalization_tree(study.rows(), study.all(), options);
    EXPECT_GT(leaf_count(before.tree), 2U);
    study.features.values.conservativeResize(Eigen::NoChange, 4);
    study.features.values.col(3).setConstant(test::not_a_number);
    study.features.levels.push_back(0);
    EXPECT_EQ(fit_personalization_tree(study.rows(), study.all(), options), before);
}

TEST(PersonalizationTree, ManyCategoriesAreDividedByTheEffectInThem) {
    Rng rng(10, Draw::test);
    constexpr int levels = 40;
    RandomStudy study{{Eigen::MatrixXd(4'000, 1), {levels}}, {}, 2, {}, std::vector<double>(4'000, 1)};
    std::vector<int> best;
    for (Eigen::Index i = 0; i < 4'000; ++i) {
        const auto level = static_cast<int>(rng.below(levels));
        const int t = rng.bernoulli(0.5) ? 1 : 0;
        study.features.values(i, 0) = level;
        best.push_back(level % 3 == 0 ? 1 : 0);
        study.treatment.push_back(t);
        study.outcome.push_back((t == best.back() ? 0 : 2) + 0.3 * level + 0.5 * rng.normal());
    }
    const PersonalizationTree tree = fit_personalization_tree(study.rows(), study.all(), {.depth = 1});
    EXPECT_EQ(argmin_rows(scores(tree, study.features, 1)), best);
}

// Treatment 2 where x0 > 0.5, else 1 where x1 <= -0.5, else 0; which was given depends on x2.
RandomStudy planted(Rng& rng, Eigen::Index rows, std::vector<int>& best) {
    RandomStudy study{{Eigen::MatrixXd(rows, 5), std::vector<int>(5, 0)}, {}, 3, {}, {}};
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (double& value : study.features.values.row(i)) value = rng.normal();
        const auto x = study.features.values.row(i);
        best.push_back(x[0] > 0.5 ? 2 : x[1] <= -0.5 ? 1 : 0);
        const int likely = x[2] > 0 ? 1 : 0;
        study.treatment.push_back(rng.bernoulli(0.4) ? likely : static_cast<int>(rng.below(3)));
        study.outcome.push_back((study.treatment.back() == best.back() ? 0 : 3) + 0.5 * rng.normal());
        study.weight.push_back(1);
    }
    return study;
}

double agreement(const std::vector<int>& a, const std::vector<int>& b) {
    std::size_t same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) same += a[i] == b[i] ? 1 : 0;
    return static_cast<double>(same) / static_cast<double>(a.size());
}

TEST(PersonalizationTree, FindsThePlantedPolicy) {
    Rng rng(11, Draw::test);
    std::vector<int> best;
    const RandomStudy study = planted(rng, 3'000, best);
    const PersonalizationTree tree = fit_personalization_tree(study.rows(), study.all(), {.depth = 2});
    EXPECT_GT(agreement(argmin_rows(scores(tree, study.features, 1)), best), 0.98);
    const PersonalizationForest forest = fit_personalization_forest(study.rows(), study.all(), {});
    EXPECT_GT(agreement(argmin_rows(scores(forest, study.features, 1)), best), 0.95);
}

TEST(PersonalizationForest, IsTheSameForAnyNumberOfThreads) {
    Rng rng(12, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 400, 6, 3);
    const auto fitted = [&](int threads) {
        return fit_personalization_forest(study.rows(), study.all(),
                                          {.tree = {.depth = 0, .treatment_rows = 2}, .threads = threads});
    };
    const PersonalizationForest one = fitted(1);
    EXPECT_EQ(one.trees.size(), 10U);
    EXPECT_EQ(one, fitted(2));
    EXPECT_EQ(one, fitted(4));
    EXPECT_EQ(scores(one, study.features, 1), scores(one, study.features, 3));
    EXPECT_EQ(scores(one.trees[0], study.features, 1), scores(one.trees[0], study.features, 4));
}

TEST(PersonalizationForest, EachTreeIsOneOfTheRowsThatWereDrawn) {
    Rng rng(13, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 300, 5, 3);
    const PersonalizationOptions options{.depth = 4, .treatment_rows = 5};
    const PersonalizationForest forest =
        fit_personalization_forest(study.rows(), study.all(), {.tree = options, .trees = 4, .features = 5, .seed = 9});
    for (std::size_t t = 0; t < 4; ++t) {
        Rng drawing = tree_rng({.seed = 9}, t);
        const Sample sample = draw_sample(300, true, drawing);
        Rows drawn;
        for (std::size_t i = 0; i < sample.rows.size(); ++i)
            drawn.insert(drawn.end(), static_cast<std::size_t>(sample.times[i]), sample.rows[i]);
        const PersonalizationTree tree = fit_personalization_tree(study.rows(), drawn, options);
        EXPECT_EQ(leaf_count(tree.tree), leaf_count(forest.trees[t].tree));
        for (const std::size_t row : drawn)
            EXPECT_EQ(leaf_at(tree, study.features, row), leaf_at(forest.trees[t], study.features, row));
    }
}

TEST(PersonalizationForest, LooksAtTheRootOfTheFeaturesRoundedUp) {
    Rng rng(16, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 300, 5, 2);
    const auto looking_at = [&](int features) {
        return fit_personalization_forest(study.rows(), study.all(), {.features = features});
    };
    EXPECT_EQ(looking_at(0), looking_at(3));
    EXPECT_NE(looking_at(0), looking_at(2));
}

TEST(PersonalizationForest, PrescribesWhatMostTreesDo) {
    Rng rng(14, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 200, 5, 4);
    const PersonalizationForest forest =
        fit_personalization_forest(study.rows(), study.all(), {.tree = {.depth = 3, .treatment_rows = 1}});
    const Matrix votes = scores(forest, study.features, 1);
    const std::vector<int> prescribed = argmin_rows(votes);
    for (std::size_t row = 0; row < 200; ++row) {
        std::vector<int> count(4);
        for (const PersonalizationTree& tree : forest.trees)
            ++count[static_cast<std::size_t>(leaf_at(tree, study.features, row).treatment)];
        EXPECT_EQ(prescribed[row], std::ranges::max_element(count) - count.begin());
        EXPECT_EQ(votes.row(static_cast<Eigen::Index>(row)).sum(), -10);
    }
}

TEST(PersonalizationTree, SaysWhatItCannotLearnFrom) {
    Rng rng(15, Draw::test);
    RandomStudy study = random_treated_rows(rng, 20, 2, 2);
    EXPECT_THROW((void)fit_personalization_tree(study.rows(), {}, {}), Error);
    EXPECT_THROW((void)fit_personalization_tree(study.rows(), study.all(), {.treatment_rows = 0}), Error);
    EXPECT_THROW((void)fit_personalization_tree(study.rows(), study.all(), {.depth = -1}), Error);
    EXPECT_THROW((void)fit_personalization_forest(study.rows(), study.all(), {.trees = 0}), Error);
    study.treatments = 64;
    EXPECT_NO_THROW((void)fit_personalization_tree(study.rows(), study.all(), {}));
    study.treatments = 65;
    EXPECT_THROW((void)fit_personalization_tree(study.rows(), study.all(), {}), Error);
}

}  // namespace
}  // namespace polyrx
