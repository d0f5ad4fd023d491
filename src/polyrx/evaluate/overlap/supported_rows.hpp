// SPDX-License-Identifier: Apache-2.0
// Which treatments are supported for which rows: similar rows received them often enough to estimate outcomes without
// extrapolation.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/study/epsilon.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

struct SupportThreshold {
    // With estimated propensities, k is supported if e_k / max_j e_j is at least epsilon / 2. Below common_ratio,
    // enough rows must also support it. Policies use epsilon itself. Half of it here keeps noise at the threshold from
    // widening intervals.
    double epsilon = default_epsilon;
    // With known propensities, k is supported if e_k >= least_design_probability. A rare randomized arm is a small
    // sample, not a lack of overlap.
    bool by_design = false;
};

// Propensities are clipped to this, so that no single row dominates. Supported propensities are rarely lower: clipping
// them would leave part of the outcome model's error in the estimate. Known propensities are exact, so their limit is
// lower.
[[nodiscard]] inline double least_propensity(bool by_design) {
    return by_design ? least_design_probability : 0.005;
}

// Below this ratio, a treatment is supported only if at least `least_expected_rows` rows with half to twice the ratio
// are expected to have received it. With fewer, its propensity cannot be distinguished from 0, and a mean over rows
// that received it is extrapolation.
inline constexpr double common_ratio = 0.1;
inline constexpr double least_expected_rows = 10;

// By row. `propensities` is rows x treatments. Rules do not matter: a rule that forbids the usual treatment adds no
// data about the others. With estimated propensities, the most likely treatment is always supported.
[[nodiscard]] std::vector<TreatmentSet> supported_treatments(const Matrix& propensities, const SupportThreshold& rule);

// Whether the prescription of each row is supported.
[[nodiscard]] std::vector<char> supported_prescriptions(std::span<const TreatmentSet> supported,
                                                        std::span<const int> prescriptions);

}  // namespace polyrx
