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
    // With estimated propensities, k is supported where e_k >= epsilon / 2 * max e_j over the allowed j. Policies avoid
    // what is below epsilon; half of it here, so that noise at the threshold does not widen intervals.
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
