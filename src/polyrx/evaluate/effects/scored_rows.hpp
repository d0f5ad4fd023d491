// SPDX-License-Identifier: Apache-2.0
// The rows that policies are evaluated on: received treatments, prescriptions, outcomes and doubly robust scores.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/statistics/effective_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

// Borrows all data. Outcomes and scores are in the user's units and direction.
struct ScoredRows {
    const Matrix& scores;                // rows x treatments, doubly robust
    const Matrix& propensities;          // rows x treatments, before clipping
    std::span<const int> treatment;      // received
    std::span<const double> outcome;     // observed
    std::span<const int> prescriptions;  // of the policy
    Sampling sampling = {};
    bool larger_is_better = false;
    std::span<const TreatmentSet> supported = {};  // the supported treatments of each row; empty if all are
    OutcomeRange range = {};                       // possible outcomes under other treatments
    double least_propensity = 0.02;                // propensities are clipped to this, as in the scores
    double needed_rows = 0;                        // fewer effective rows than this give no value

    [[nodiscard]] std::size_t rows() const { return treatment.size(); }
    [[nodiscard]] int treatments() const { return static_cast<int>(scores.cols()); }
    [[nodiscard]] double score(std::size_t row, int k) const { return scores(static_cast<Eigen::Index>(row), k); }
    [[nodiscard]] double propensity(std::size_t row, int k) const {
        return propensities(static_cast<Eigen::Index>(row), k);
    }
    [[nodiscard]] bool is_supported(std::size_t row, int k) const {
        return supported.empty() || has(supported[row], k);
    }
    // Bounds of the row's outcome under k: its score if k is supported, otherwise the observed outcome if the row
    // received k, otherwise the end of the range.
    [[nodiscard]] double lower(std::size_t row, int k) const { return bound(row, k, range.least); }
    [[nodiscard]] double upper(std::size_t row, int k) const { return bound(row, k, range.greatest); }
    // The row's weight divided by the propensity of k.
    [[nodiscard]] double inverse_weight(std::size_t row, int k) const {
        return sampling.weight_of(row) / std::max(propensity(row, k), least_propensity);
    }
    // Whether the row has positive weight and received its prescription.
    [[nodiscard]] bool matched(std::size_t row) const {
        return treatment[row] == prescriptions[row] && sampling.weight_of(row) > 0;
    }
    [[nodiscard]] bool any_matched() const {
        for (std::size_t row = 0; row < rows(); ++row)
            if (matched(row)) return true;
        return false;
    }
    // How much better outcome `a` is than `b`.
    [[nodiscard]] double gain(double a, double b) const { return larger_is_better ? a - b : b - a; }
    [[nodiscard]] double bound(std::size_t row, int k, double end) const {
        if (is_supported(row, k)) return score(row, k);
        return treatment[row] == k ? outcome[row] : end;
    }
};

// A missing estimate with the reason that it rests on too few effective rows.
[[nodiscard]] MeanEstimate too_few_rows(double effective, double needed);

// Throws a usage error for sizes that do not match or an unknown treatment. Throws a data error for no rows, a score or
// outcome that is not finite, a propensity outside [0, 1], and weights that are negative or all 0.
void check_scored(const ScoredRows& rows);

// Throws a data error that names the row if a weight is negative or not finite, or if no weight is positive.
void check_weights(std::span<const double> weight);

}  // namespace polyrx
