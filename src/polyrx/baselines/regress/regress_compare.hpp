// SPDX-License-Identifier: Apache-2.0
// Regress and compare (R&C): one regression per treatment, on the rows that received it; prescribes the smallest
// prediction. Also the best single treatment for all rows.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

// Per treatment.
struct LinearOutcomes {
    std::vector<LinearModel> arms;
    friend bool operator==(const LinearOutcomes&, const LinearOutcomes&) = default;
};
struct ForestOutcomes {
    std::vector<RegressionForest> arms;
    friend bool operator==(const ForestOutcomes&, const ForestOutcomes&) = default;
};
struct ConstantOutcomes {
    std::vector<double> means;
    friend bool operator==(const ConstantOutcomes&, const ConstantOutcomes&) = default;
};

// Every treatment must have a row. The linear version learns from encoded rows, which are the rows of the study.
[[nodiscard]] LinearOutcomes fit_linear_outcomes(const Matrix& encoded, const TreatedRows& study, int threads);
[[nodiscard]] ForestOutcomes fit_forest_outcomes(const TreatedRows& study, std::uint64_t seed, int threads,
                                                 const Progress& progress = {});

// Rows x treatments: predicted outcomes.
[[nodiscard]] Matrix scores(const LinearOutcomes& model, const Matrix& encoded);
[[nodiscard]] Matrix scores(const ForestOutcomes& model, const FeatureRows& features, int threads);

}  // namespace polyrx
