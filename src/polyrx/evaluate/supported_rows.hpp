// SPDX-License-Identifier: Apache-2.0
// Which treatments are supported for which rows: rows like these received them often enough that the data, and not a
// model, say what they come to.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/data/epsilon.hpp"
#include "polyrx/data/treatment_set.hpp"

namespace polyrx {

struct SupportThreshold {
    // With estimated propensities, k is supported where e_k >= least_ratios()[k] * max e_j over the allowed j. Policies
    // avoid what is below epsilon; half of it here, so that noise at the threshold does not widen intervals.
    double epsilon = default_epsilon;
    // Known propensities: k is supported where e_k >= least_design_probability. A rare randomised arm is a small
    // sample, not a lack of overlap.
    bool by_design = false;
};

// Weights divide by no less than this, so that one row does not decide alone. Estimated propensities
// may be supported below it, and are then raised. Known ones are right however low they are.
[[nodiscard]] inline double least_propensity(bool by_design) {
    return by_design ? least_design_probability : 0.02;
}

// Rows with the lowest propensities of a treatment are supported only if this many of them are expected to have received
// it. A mean over fewer is an extrapolation, and a propensity that low cannot be told from 0.
inline constexpr double least_rows_in_tail = 10;
// Common enough, however few rows there are.
inline constexpr double largest_least_ratio = 0.1;

// By treatment: the least ratio of its propensity to the largest allowed one at which it is supported. It is epsilon / 2,
// unless fewer than least_rows_in_tail rows with a lower ratio than some number are expected to have received the
// treatment: then that number, up to largest_least_ratio. With many rows it is epsilon / 2.
[[nodiscard]] std::vector<double> least_ratios(const Matrix& propensities, std::span<const TreatmentSet> allowed,
                                               double epsilon);

// By row. `propensities` is rows x treatments; `allowed` is what the user's rules allow each row (empty: everything).
// The most likely allowed treatment is always supported by estimated propensities. Throws a usage error for sizes that
// do not fit, and for a row that is allowed nothing.
[[nodiscard]] std::vector<TreatmentSet> supported_treatments(const Matrix& propensities,
                                                             std::span<const TreatmentSet> allowed,
                                                             const SupportThreshold& rule);

// By row: whether its prescription is supported.
[[nodiscard]] std::vector<char> supported_prescriptions(std::span<const TreatmentSet> supported,
                                                        std::span<const int> prescriptions);

}  // namespace polyrx
