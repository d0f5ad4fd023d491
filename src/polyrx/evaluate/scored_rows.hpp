// SPDX-License-Identifier: Apache-2.0
// What the value of prescriptions is read off: rows, what they received, what was prescribed, and their scores.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/evaluate/mean_estimate.hpp"

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

    [[nodiscard]] std::size_t rows() const { return treatment.size(); }
    [[nodiscard]] int treatments() const { return static_cast<int>(scores.cols()); }
    [[nodiscard]] double score(std::size_t row, int k) const { return scores(static_cast<Eigen::Index>(row), k); }
    [[nodiscard]] double propensity(std::size_t row, int k) const {
        return propensities(static_cast<Eigen::Index>(row), k);
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
};

// Throws a usage error for parts that do not fit together or a treatment that does not exist, and a data error for no
// rows, a score or outcome that is not finite, a propensity outside of [0, 1], and weights that are negative or all 0.
void check_scored(const ScoredRows& rows);

// Throws a data error that names the row unless weights are finite and not negative, and one is positive.
void check_weights(std::span<const double> weight);

// Throws a usage error unless it is above 0 and at most 1.
void check_least_propensity(double least);

}  // namespace polyrx
