// SPDX-License-Identifier: Apache-2.0
// Which treatments are supported for which rows: rows like these received them often enough that the data, and not a
// model, say what they come to.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/study/epsilon.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

struct SupportThreshold {
    // With estimated propensities, k is supported where the ratio of e_k to max e_j over all j is at least
    // epsilon / 2, and common_ratio or more, or with enough rows behind it. Policies avoid what is below epsilon; half
    // of it here, so that noise at the threshold does not widen intervals.
    double epsilon = default_epsilon;
    // Known propensities: k is supported where e_k >= least_design_probability. A rare randomized arm is a small
    // sample, not a lack of overlap.
    bool by_design = false;
};

// Weights divide by no less than this, so that one row does not decide alone. Supported propensities are hardly ever
// below it: raised ones would leave part of the predicted outcome's error in the estimate. Known ones are right however
// low they are.
[[nodiscard]] inline double least_propensity(bool by_design) {
    return by_design ? least_design_probability : 0.005;
}

// Below this ratio, a treatment is supported only if at least `least_expected_rows` rows with a ratio between half and
// twice as large are expected to have received it. With fewer, its propensity cannot be told from 0, and a mean over
// those that did receive it is an extrapolation.
inline constexpr double common_ratio = 0.1;
inline constexpr double least_expected_rows = 10;

// By row. `propensities` is rows x treatments. What is supported is judged among all treatments, whatever rules allow:
// a rule that forbids the usual treatment does not add to what is known of the others. The most likely treatment is
// always supported by estimated propensities.
[[nodiscard]] std::vector<TreatmentSet> supported_treatments(const Matrix& propensities, const SupportThreshold& rule);

// By row: whether its prescription is supported.
[[nodiscard]] std::vector<char> supported_prescriptions(std::span<const TreatmentSet> supported,
                                                        std::span<const int> prescriptions);

}  // namespace polyrx
