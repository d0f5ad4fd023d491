// SPDX-License-Identifier: Apache-2.0
// For outcomes of 0 or 1: the risk difference to current practice and the number needed to treat.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

[[nodiscard]] bool is_binary(std::span<const double> outcome);

// The number of rows to treat by the policy for one event more or fewer: 1 / |risk difference|.
struct NumberNeeded {
    std::optional<double> value;  // empty if the risk difference is 0 or not estimable
    bool to_benefit = true;       // otherwise to harm
    // Empty if the interval of the difference contains 0. The limits would then be two rays that meet at infinity, from
    // benefit to harm (Altman 1998).
    std::optional<double> low;
    std::optional<double> high;
    std::string reason;  // "not estimable ...", where something is missing above
};

// `difference` is a risk difference with its interval.
[[nodiscard]] NumberNeeded number_needed(const MeanEstimate& difference, bool larger_is_better);

struct RiskDifference {
    // Doubly robust risk under the policy minus observed risk, paired by row, for rows with a supported prescription.
    // Not estimable from fewer than ScoredRows::needed_rows effective rows.
    MeanEstimate difference;
    std::size_t rows = 0;       // with a supported prescription
    double effective_rows = 0;  // of these, those that received it
    NumberNeeded needed;
};

// Throws a data error that names the row if an outcome is neither 0 nor 1.
[[nodiscard]] RiskDifference risk_difference(const ScoredRows& rows, double level = 0.95);

}  // namespace polyrx
