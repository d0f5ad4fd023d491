// SPDX-License-Identifier: Apache-2.0
// The models that predict propensities, each learned from some places and asked for others.
#pragma once

#include <vector>

#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/nuisance/propensities.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

using Places = std::vector<std::size_t>;

// Values by study row, of some places.
template <class T>
std::vector<T> of_places(std::span<const T> by_row, const PropensityRows& rows, std::span<const std::size_t> places) {
    std::vector<T> values;
    if (by_row.empty()) return values;
    values.reserve(places.size());
    for (const std::size_t place : places) values.push_back(by_row[rows.rows[place]]);
    return values;
}

// `learned` are inputs of the places to learn from, `unseen` of those to predict.
[[nodiscard]] Matrix by_logistic(const PropensityRows& rows, const Matrix& learned, const Matrix& unseen,
                                 std::span<const std::size_t> learn, const LogisticOptions& options);

// With the inputs that `rows` has.
[[nodiscard]] Matrix by_logistic(const PropensityRows& rows, std::span<const std::size_t> learn,
                                 std::span<const std::size_t> predict, const LogisticOptions& options);

[[nodiscard]] ForestOptions forest_options(const PropensityRows& rows, const PropensityOptions& options,
                                           const PropensityDraws& draws);

[[nodiscard]] ClassificationForest fitted_forest(const PropensityRows& rows, std::span<const std::size_t> learn,
                                                 const ForestOptions& options, const Progress& progress);

[[nodiscard]] Matrix by_forest(const ClassificationForest& forest, const PropensityRows& rows,
                               std::span<const std::size_t> predict, int threads);

// A forest's own trees predict the rows that they did not see. Where all of them saw a row, nothing is known but how
// often each treatment was given.
[[nodiscard]] Matrix by_bag(const ClassificationForest& forest, const PropensityRows& rows,
                            std::span<const std::size_t> kept, const ForestOptions& options);

// Whether by_bag() will do. From this many trees on, the third of them that did not see a row are nearly as good as
// all, and save fitting forests to folds. (With fewer they are so much less sure that their calibration would make all
// of them too timid; but then folds cost little. Rows of a group are seldom all left out by a tree, so with groups it
// is folds in any case.)
[[nodiscard]] bool bag_will_do(const PropensityRows& rows, const PropensityOptions& options);

// Folds of the kept places, numbered from 0, by which models are compared. Groups stay whole, unless there are too few
// of them: that makes a choice worse, but lets no held-out row have a part in it.
[[nodiscard]] std::vector<RowSplit> trial_folds(const PropensityRows& rows, std::span<const std::size_t> kept,
                                                std::uint64_t seed);

}  // namespace polyrx
