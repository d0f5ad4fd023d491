// SPDX-License-Identifier: Apache-2.0
// What the value of prescriptions is read off: rows, what they received, what was prescribed, and their scores.
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

// Others own all of it. Outcomes and scores are in the user's units and direction.
struct ScoredRows {
    const Matrix& scores;                // rows x treatments, doubly robust
    const Matrix& propensities;          // rows x treatments, before low ones are raised
    std::span<const int> treatment;      // received
    std::span<const double> outcome;     // observed
    std::span<const int> prescriptions;  // of the policy
    Sampling sampling = {};
    bool larger_is_better = false;
    std::span<const TreatmentSet> supported = {};  // by row: the treatments that are; empty where all are
    OutcomeRange range = {};                       // what outcomes of other treatments could have been
    double least_propensity = 0.02;                // weights divide by no less, as the scores do
    double needed_rows = 0;                        // effective rows, without which a number is not shown

    [[nodiscard]] std::size_t rows() const { return treatment.size(); }
    [[nodiscard]] int treatments() const { return static_cast<int>(scores.cols()); }
    [[nodiscard]] double score(std::size_t row, int k) const { return scores(static_cast<Eigen::Index>(row), k); }
    [[nodiscard]] double propensity(std::size_t row, int k) const {
        return propensities(static_cast<Eigen::Index>(row), k);
    }
    [[nodiscard]] bool is_supported(std::size_t row, int k) const {
        return supported.empty() || has(supported[row], k);
    }
    // What the row's outcome under k is at least and at most: its score where k is supported, else what was observed
    // if the row received k, else the end of the range.
    [[nodiscard]] double lower(std::size_t row, int k) const { return bound(row, k, range.least); }
    [[nodiscard]] double upper(std::size_t row, int k) const { return bound(row, k, range.greatest); }
    // The row's weight divided by the propensity of k.
    [[nodiscard]] double inverse_weight(std::size_t row, int k) const {
        return sampling.weight_of(row) / std::max(propensity(row, k), least_propensity);
    }
    // Whether the row counts and received what was prescribed.
    [[nodiscard]] bool matched(std::size_t row) const {
        return treatment[row] == prescriptions[row] && sampling.weight_of(row) > 0;
    }
    [[nodiscard]] bool any_matched() const {
        for (std::size_t row = 0; row < rows(); ++row)
            if (matched(row)) return true;
        return false;
    }
    // How much better it is to have `a` than `b`.
    [[nodiscard]] double gain(double a, double b) const { return larger_is_better ? a - b : b - a; }
    [[nodiscard]] double bound(std::size_t row, int k, double end) const {
        if (is_supported(row, k)) return score(row, k);
        return treatment[row] == k ? outcome[row] : end;
    }
};

// What is said where a number rests on fewer effective rows than are needed.
[[nodiscard]] MeanEstimate too_few_rows(double effective, double needed);

// Throws a usage error for parts that do not fit together or a treatment that does not exist, and a data error for no
// rows, a score or outcome that is not finite, a propensity outside of [0, 1], and weights that are negative or all 0.
void check_scored(const ScoredRows& rows);

// Throws a data error that names the row unless weights are finite and not negative, and one is positive.
void check_weights(std::span<const double> weight);

}  // namespace polyrx
