// SPDX-License-Identifier: Apache-2.0
// The models of propensities, each fitted on some places and applied to others.
#pragma once

#include <vector>

#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/nuisance/propensities.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

using Places = std::vector<std::size_t>;

// Picks the values of some places from values by study row.
template <class T>
std::vector<T> of_places(std::span<const T> by_row, const PropensityRows& rows, std::span<const std::size_t> places) {
    std::vector<T> values;
    if (by_row.empty()) return values;
    values.reserve(places.size());
    for (const std::size_t place : places) values.push_back(by_row[rows.rows[place]]);
    return values;
}

// `learned` and `unseen` are the inputs of the places to learn from and to predict.
[[nodiscard]] Matrix by_logistic(const PropensityRows& rows, const Matrix& learned, const Matrix& unseen,
                                 std::span<const std::size_t> learn, const LogisticOptions& options);

// The same with the inputs of `rows`.
[[nodiscard]] Matrix by_logistic(const PropensityRows& rows, std::span<const std::size_t> learn,
                                 std::span<const std::size_t> predict, const LogisticOptions& options);

[[nodiscard]] ForestOptions forest_options(const PropensityRows& rows, const PropensityOptions& options,
                                           const PropensityDraws& draws);

[[nodiscard]] ClassificationForest fitted_forest(const PropensityRows& rows, std::span<const std::size_t> learn,
                                                 const ForestOptions& options, const Progress& progress);

[[nodiscard]] Matrix by_forest(const ClassificationForest& forest, const PropensityRows& rows,
                               std::span<const std::size_t> predict, int threads);

// Out-of-bag predictions of a forest. If no tree leaves a row out, its prediction is the share of each treatment.
[[nodiscard]] Matrix by_bag(const ClassificationForest& forest, const PropensityRows& rows,
                            std::span<const std::size_t> kept, const ForestOptions& options);

// Whether by_bag() replaces cross-fitting. From this number of trees on, the third of the trees that are out of bag
// predict nearly as well as all, and no forests per fold are needed. With fewer trees, out-of-bag predictions are
// noisier, and calibrating on them would shrink the forest's predictions too much; but then folds are cheap. With
// groups, a tree rarely leaves out all rows of a group, so folds are always used.
[[nodiscard]] bool bag_will_do(const PropensityRows& rows, const PropensityOptions& options);

// Folds of the kept places, numbered from 0, for model selection. Groups stay whole unless there are too few. Splitting
// groups makes the choice worse, but still uses no held-out row.
[[nodiscard]] std::vector<RowSplit> trial_folds(const PropensityRows& rows, std::span<const std::size_t> kept,
                                                std::uint64_t seed);

}  // namespace polyrx
