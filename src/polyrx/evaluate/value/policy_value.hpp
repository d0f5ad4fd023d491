// SPDX-License-Identifier: Apache-2.0
// What a policy is worth without the truth: the mean outcome, had every row received its prescription. In the units and
// the direction of the outcomes, which may be costs or gains.
//
// All of these take it that nothing unmeasured decided both treatment and outcome, that every treatment was possible
// for every row (overlap), and that a row's outcome depends on its own treatment only.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "polyrx/core/matrix.hpp"
#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {

// With t what a row received, p its prescription, y its outcome, m_k predicted outcomes, e_k propensities (raised to
// the least one), and w = 1[t = p] / e_p:
enum class Estimator {
    dm,     // direct method: mean m_p. As wrong as the predictions are, and it cannot say by how much
    ipw,    // inverse propensity (Horvitz & Thompson 1952): mean w y. With estimated e its interval is too wide, if
            // anything
    snipw,  // self-normalized (Hajek 1971): sum w y / sum w
    dr,     // doubly robust (Robins, Rotnitzky & Zhao 1994): mean m_p + w (y - m_p). Right if m or e is
};

[[nodiscard]] std::string_view name_of(Estimator estimator);       // "dr"
[[nodiscard]] std::string_view long_name_of(Estimator estimator);  // "doubly robust"

// The rows that a policy is judged by. Others own all of it.
struct EvaluatedRows {
    std::span<const int> treatment;  // received
    std::span<const double> outcome;
    const Matrix& outcomes;                   // rows x treatments, predicted; may be empty for ipw and snipw
    const Matrix& propensities;               // rows x treatments; may be empty for dm
    std::span<const double> weight = {};      // not below 0; empty when every row counts once
    std::span<const std::size_t> group = {};  // rows with equal numbers may err together; empty when each is on its own

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
    [[nodiscard]] Eigen::Index treatments() const { return std::max(outcomes.cols(), propensities.cols()); }
};

// The direct method has no standard error: its rows say nothing of how wrong the predictions are. Where no row received
// what was prescribed, only the direct method has a value. With a least propensity of 0, nothing is raised, and a
// propensity of 0 leaves no value.
//
// Throws a usage error for sizes that do not fit, a row without a prescription (no_treatment) or with none of the
// treatments, weights below 0 or not finite, and a least propensity that is none; a data error for no rows, weights
// that are all 0, and a single group.
[[nodiscard]] ValueEstimate policy_value(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                         Estimator estimator, double least_propensity);

// The same estimate as of the direct method: no influence, and the reason in words.
[[nodiscard]] ValueEstimate without_standard_error(ValueEstimate estimate);

// The mean outcome as it was: what is done now is worth this.
[[nodiscard]] ValueEstimate value_as_treated(const EvaluatedRows& rows);

}  // namespace polyrx
