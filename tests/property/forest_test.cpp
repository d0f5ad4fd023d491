// SPDX-License-Identifier: Apache-2.0
// Trees and forests of numbers and classes, against trying every split.
#include <gtest/gtest.h>

#include "polyrx/core/infinity.hpp"
#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/learners/trees/regression_criterion.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "tests/support/slow_axis_tree.hpp"

namespace polyrx {
namespace {

using test::Rows;

struct ForestStudy {
    FeatureRows features;
    std::vector<double> target;
    std::vector<double> weight;
};

ForestStudy random_study(Rng& rng, std::size_t rows, std::size_t features, double missing) {
    ForestStudy study{test::random_features(rng, rows, features, missing), {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        const double x = study.features.values(static_cast<Eigen::Index>(i), 0);
        study.target.push_back((x > 0 ? 2 : 0) + rng.normal());
        study.weight.push_back(0.5 + rng.uniform());
    }
    return study;
}

double sum_over(const Rows& rows, const auto& term) {
    double sum = 0;
    for (const std::size_t row : rows) sum += term(row);
    return sum;
}

ForestOptions one_tree() {
    ForestOptions options;
    options.trees = 1;
    options.bootstrap = false;
    return options;
}

AxisTree tree_of(const ForestStudy& study, const ForestOptions& options) {
    return fit_regression_forest(study.features, test::all_of(study.target.size()), study.target, study.weight, options)
        .trees.front();
}

TEST(RegressionTree, MakesTheBestSplitOfEachNode) {
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(1, Draw::test, index);
        const ForestStudy study = random_study(rng, 5 + rng.below(60), 1 + rng.below(5), 0.2);
        ForestOptions options = one_tree();
        options.leaf_rows = 1 + rng.below(4);
        const auto square = [&](const Rows& rows) {
            const double weight = sum_over(rows, [&](std::size_t i) { return study.weight[i]; });
            const double sum = sum_over(rows, [&](std::size_t i) { return study.weight[i] * study.target[i]; });
            return sum * sum / weight;
        };
        const auto worth = [&](const Rows& left, const Rows& right) {
            return std::min(left.size(), right.size()) < options.leaf_rows ? -infinity : square(left) + square(right);
        };
        const AxisTree tree = tree_of(study, options);
        const auto mean = [&](const Rows& rows) {
            return sum_over(rows, [&](std::size_t i) { return study.weight[i] * study.target[i]; }) /
                   sum_over(rows, [&](std::size_t i) { return study.weight[i]; });
        };
        test::expect_greedy(
            tree, study.features, test::all_of(study.target.size()), worth,
            [&](const Rows& rows) { return rows.size() == 1 ? infinity : -infinity; },
            [&](int leaf, const Rows& rows) {
                EXPECT_NEAR(tree.nodes[static_cast<std::size_t>(leaf)].value(), mean(rows), 1e-12);
            });
    }
}

TEST(ClassificationTree, MakesTheBestSplitOfEachNode) {
    for (std::uint64_t index = 0; index < 60; ++index) {
        Rng rng(2, Draw::test, index);
        const ForestStudy study = random_study(rng, 5 + rng.below(60), 1 + rng.below(5), 0.2);
        const int classes = 2 + static_cast<int>(rng.below(3));
        std::vector<int> label;
        for (std::size_t i = 0; i < study.target.size(); ++i)
            label.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(classes))));
        ForestOptions options = one_tree();
        options.leaf_rows = 1 + rng.below(3);
        const auto shares = [&](const Rows& rows) {
            Vector weights = Vector::Zero(classes);
            for (const std::size_t i : rows) weights[label[i]] += study.weight[i];
            return weights;
        };
        const auto worth = [&](const Rows& left, const Rows& right) {
            if (std::min(left.size(), right.size()) < options.leaf_rows) return -infinity;
            return shares(left).squaredNorm() / shares(left).sum() + shares(right).squaredNorm() / shares(right).sum();
        };
        const ClassificationTree tree =
            fit_classification_forest(study.features, test::all_of(label.size()), label, classes, study.weight, options)
                .trees.front();
        test::expect_greedy(
            tree.tree, study.features, test::all_of(label.size()), worth,
            [&](const Rows& rows) { return (shares(rows).array() > 0).count() == 1 ? infinity : -infinity; },
            [&](int leaf, const Rows& rows) {
                const Vector expected = shares(rows) / shares(rows).sum();
                EXPECT_LT((tree.shares[static_cast<std::size_t>(leaf)] - expected).norm(), 1e-12);
            });
    }
}

TEST(RegressionTree, BinsMakeTheSameSplitsWhereEachValueHasItsOwn) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(3, Draw::test, index);
        ForestStudy study = random_study(rng, 2'000, 6, 0.1);
        for (std::size_t f = 0; f < 6; ++f)
            if (study.features.levels[f] == 0)
                for (double& value : study.features.values.col(static_cast<Eigen::Index>(f)))
                    value = std::round(20 * value);
        const Rows rows = test::all_of(study.target.size());
        const RankedFeatures ranked(study.features, rows);
        std::vector<RowIndex> sample(rows.begin(), rows.end());
        std::vector<RegressionCriterion::Target> targets;
        for (std::size_t i = 0; i < rows.size(); ++i)
            targets.push_back({study.weight[i], study.weight[i] * std::round(8 * study.target[i])});
        const auto grown = [&](std::size_t exact_rows) {
            const BinnedFeatures binned(ranked, exact_rows);
            RegressionCriterion criterion(targets, 20);
            return AxisTreeGrower(ranked, binned, sample, criterion, {}, Rng(1, Draw::test)).grow();
        };
        const AxisTree exact = grown(1'000'000);
        for (const std::size_t exact_rows : {0, 100, 500}) {
            const AxisTree other = grown(exact_rows);
            // Nodes are numbered in the order they are made, which is another one; leaves tell.
            std::size_t same = 0;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const AxisNode& a = exact.nodes[static_cast<std::size_t>(leaf_of(exact, study.features, row))];
                const AxisNode& b = other.nodes[static_cast<std::size_t>(leaf_of(other, study.features, row))];
                same += a == b ? 1 : 0;
            }
            EXPECT_EQ(leaf_count(other), leaf_count(exact));
            EXPECT_EQ(same, rows.size());
        }
    }
}

TEST(RegressionForest, IsTheSameForAnyNumberOfThreads) {
    Rng rng(4, Draw::test);
    const ForestStudy study = random_study(rng, 300, 5, 0.1);
    ForestOptions options;
    options.trees = 9;
    options.limits.features = 2;
    const auto fitted = [&](int threads) {
        options.threads = threads;
        return fit_regression_forest(study.features, test::all_of(300), study.target, study.weight, options);
    };
    const RegressionForest one = fitted(1);
    EXPECT_EQ(one, fitted(2));
    EXPECT_EQ(one, fitted(4));
    EXPECT_EQ(predict(one, study.features, 1), predict(one, study.features, 3));
    for (std::size_t row = 0; row < 300; ++row)
        EXPECT_EQ(predict_row(one, study.features, row),
                  predict(one, study.features, 1)[static_cast<Eigen::Index>(row)]);
}

TEST(RegressionTree, AMonotoneTransformOfAFeatureMovesNoTrainingRow) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(5, Draw::test, index);
        ForestStudy study = random_study(rng, 100, 4, 0.1);
        const AxisTree before = tree_of(study, one_tree());
        std::vector<double> predicted;
        for (std::size_t row = 0; row < 100; ++row) predicted.push_back(value_at(before, study.features, row));
        for (std::size_t f = 0; f < 4; ++f)
            if (study.features.levels[f] == 0)
                study.features.values.col(static_cast<Eigen::Index>(f)) =
                    study.features.values.col(static_cast<Eigen::Index>(f)).array().exp().eval();
        const AxisTree after = tree_of(study, one_tree());
        for (std::size_t row = 0; row < 100; ++row) EXPECT_EQ(value_at(after, study.features, row), predicted[row]);
    }
}

TEST(RegressionTree, DoublingRowsIsAWeightOfTwo) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(6, Draw::test, index);
        ForestStudy study = random_study(rng, 80, 4, 0.1);
        for (double& weight : study.weight) weight = 2;
        const AxisTree weighted = tree_of(study, one_tree());
        Rows twice = test::all_of(80);
        for (std::size_t i = 0; i < 80; ++i) twice.push_back(i);
        const AxisTree doubled =
            fit_regression_forest(study.features, twice, study.target, {}, one_tree()).trees.front();
        for (std::size_t row = 0; row < 80; ++row)
            EXPECT_NEAR(value_at(weighted, study.features, row), value_at(doubled, study.features, row), 1e-12);
    }
}

TEST(RegressionForest, ManyCategoriesAreDividedByTheirMeans) {
    // For squared error, the order of the means is as good as all sets.
    Rng rng(7, Draw::test);
    constexpr int levels = 200;
    FeatureRows features{Eigen::MatrixXd(5'000, 1), {levels}};
    std::vector<double> target;
    for (Eigen::Index i = 0; i < 5'000; ++i) {
        features.values(i, 0) = static_cast<double>(rng.below(levels));
        target.push_back(static_cast<int>(features.values(i, 0)) % 3 == 0 ? 1 : 0);
    }
    ForestOptions options = one_tree();
    const AxisTree tree = fit_regression_forest(features, test::all_of(5'000), target, {}, options).trees.front();
    EXPECT_EQ(leaf_count(tree), 2U);
    for (std::size_t row = 0; row < 5'000; ++row) EXPECT_EQ(value_at(tree, features, row), target[row]);
}

TEST(RegressionForest, DegenerateDataHasNumbersForAnswers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    FeatureRows features{Eigen::MatrixXd(4, 3), {0, 3, 0}};
    features.values << 1, 2, nan, 1, 2, nan, 1, 2, nan, 1, 2, nan;
    const std::vector<double> target = {1, 2, 3, 6};
    ForestOptions options;
    options.trees = 5;
    options.bootstrap = false;
    RegressionForest forest = fit_regression_forest(features, test::all_of(4), target, {}, options);
    EXPECT_EQ(predict_row(forest, features, 0), 3);
    forest = fit_regression_forest(features, Rows{2}, target, {}, options);
    EXPECT_EQ(predict_row(forest, features, 0), 3);
    // Values that no training row had.
    FeatureRows other{Eigen::MatrixXd(2, 3), {0, 3, 0}};
    other.values << nan, nan, 5, -1e300, 0, 1e300;
    features.values.col(0) << 1, 2, 3, 4;
    forest = fit_regression_forest(features, test::all_of(4), target, {}, options);
    for (std::size_t row = 0; row < 2; ++row) {
        EXPECT_GE(predict_row(forest, other, row), 1);
        EXPECT_LE(predict_row(forest, other, row), 6);
    }
}

}  // namespace
}  // namespace polyrx
