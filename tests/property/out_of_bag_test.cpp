// SPDX-License-Identifier: Apache-2.0
// Predictions of rows by the trees that did not see them.
#include "polyrx/learners/trees/out_of_bag.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_treated_rows.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;

TEST(OutOfBag, IsTheMeanOfTheTreesThatDidNotDrawTheRow) {
    Rng rng(1, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 120, 4, 3);
    Rows some;
    for (std::size_t row = 0; row < 120; row += 3) some.push_back(row);
    ForestOptions options = classification_options(4);
    options.trees = 6;
    options.seed = 5;
    const ClassificationForest forest =
        fit_classification_forest(study.features, some, study.treatment, 3, study.weight, options);
    const Matrix fast = out_of_bag_probabilities(forest, study.features, some, options);
    std::size_t without = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        Vector sum = Vector::Zero(3);
        double trees = 0;
        for (std::size_t t = 0; t < 6; ++t) {
            Rng same = tree_rng(options, t);
            const Sample sample = draw_sample(some.size(), true, same);
            if (std::ranges::find(sample.rows, static_cast<RowIndex>(i)) != sample.rows.end()) continue;
            const Eigen::RowVectorXd row = study.features.values.row(static_cast<Eigen::Index>(some[i]));
            sum += forest.trees[t].shares[static_cast<std::size_t>(leaf_of(forest.trees[t].tree, row.data(), 1))];
            trees += 1;
        }
        without += trees == 0 ? 1 : 0;
        if (trees > 0) sum /= trees;
        EXPECT_LT((fast.row(static_cast<Eigen::Index>(i)).transpose() - sum).cwiseAbs().maxCoeff(), 1e-12);
    }
    EXPECT_LT(without, 10U);
    for (const int threads : {2, 4}) {
        options.threads = threads;
        EXPECT_EQ(out_of_bag_probabilities(forest, study.features, some, options), fast);
    }
}

TEST(OutOfBag, ARowsOwnClassHasNoSayInIt) {
    Rng rng(2, Draw::test);
    RandomStudy study = random_treated_rows(rng, 80, 3, 2);
    ForestOptions options = classification_options(3);
    options.trees = 30;
    const auto out_of_bag = [&] {
        const ClassificationForest forest =
            fit_classification_forest(study.features, study.all(), study.treatment, 2, study.weight, options);
        return out_of_bag_probabilities(forest, study.features, study.all(), options);
    };
    const Matrix before = out_of_bag();
    for (const std::size_t row : {0U, 33U, 79U}) {
        study.treatment[row] = 1 - study.treatment[row];
        const Matrix after = out_of_bag();
        EXPECT_EQ(after.row(static_cast<Eigen::Index>(row)), before.row(static_cast<Eigen::Index>(row)));
        EXPECT_NE(after, before);
        study.treatment[row] = 1 - study.treatment[row];
    }
}

}  // namespace
}  // namespace polyrx
