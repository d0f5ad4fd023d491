// SPDX-License-Identifier: Apache-2.0
// Estimates the value of a policy: the mean outcome if every row received its prescription, in the units and direction
// of the outcomes.
//
// All estimators assume no unmeasured confounding, overlap, and no interference between rows.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "polyrx/core/matrix.hpp"
#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {

// Notation: t received treatment, p prescription, y outcome, m_k predicted outcomes, e_k clipped propensities,
// w = 1[t = p] / e_p.
enum class Estimator {
    dm,     // direct method: mean m_p. Biased if m is, and without a standard error
    ipw,    // inverse propensity (Horvitz & Thompson 1952): mean w y. With estimated e, its interval is conservative
    snipw,  // self-normalized (Hajek 1971): sum w y / sum w
    dr,     // doubly robust (Robins, Rotnitzky & Zhao 1994): mean m_p + w (y - m_p). Consistent if m or e is
};

[[nodiscard]] std::string_view name_of(Estimator estimator);       // "dr"
[[nodiscard]] std::string_view long_name_of(Estimator estimator);  // "doubly robust"

// The rows on which a policy is evaluated. Borrows all data.
struct EvaluatedRows {
    std::span<const int> treatment;  // received
    std::span<const double> outcome;
    const Matrix& outcomes;                   // rows x treatments, predicted; may be empty for ipw and snipw
    const Matrix& propensities;               // rows x treatments; may be empty for dm
    std::span<const double> weight = {};      // not negative; empty if all are 1
    std::span<const std::size_t> group = {};  // rows with equal numbers form a cluster; empty if there are none

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
    [[nodiscard]] Eigen::Index treatments() const { return std::max(outcomes.cols(), propensities.cols()); }
};

// The direct method has no standard error, because its rows do not show the error of the predictions. It is the only
// estimator with a value if no row received its prescription. A least propensity of 0 means no clipping; a propensity
// of 0 then leaves no value.
//
// Throws a usage error for sizes that do not match, a prescription that is no treatment (such as no_treatment), weights
// that are negative or not finite, and an invalid least propensity. Throws a data error for no rows, weights that are
// all 0, and a single group.
[[nodiscard]] ValueEstimate policy_value(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                         Estimator estimator, double least_propensity);

// The same estimate without influence and standard error, like the direct method, and with the reason.
[[nodiscard]] ValueEstimate without_standard_error(ValueEstimate estimate);

// The mean observed outcome: the value of current practice.
[[nodiscard]] ValueEstimate value_as_treated(const EvaluatedRows& rows);

}  // namespace polyrx
