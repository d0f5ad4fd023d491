// SPDX-License-Identifier: Apache-2.0
// For outcomes that happen or not: the risk difference to what was done, and the number needed to treat.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// Whether every outcome is 0 or 1.
[[nodiscard]] bool is_binary(std::span<const double> outcome);

// How many rows must be given what was prescribed for one event more or fewer: 1 / |risk difference|.
struct NumberNeeded {
    std::optional<double> value;  // nothing where the risk difference is 0 or not estimable
    bool to_benefit = true;       // else to harm: the policy does worse
    // Where the interval of the difference covers 0, these would be two rays, from some number to benefit through
    // infinity to some number to harm (Altman 1998), which is no interval.
    std::optional<double> low;
    std::optional<double> high;
    std::string reason;  // "not estimable ...", where something is missing above
};

// `difference` in risk, with its interval.
[[nodiscard]] NumberNeeded number_needed(const MeanEstimate& difference, bool larger_is_better);

struct RiskDifference {
    // Doubly robust risk of the policy minus the observed one, paired by row, over the rows whose prescription is
    // supported. Not estimable from fewer than ScoredRows::needed_rows effective ones.
    MeanEstimate difference;
    std::size_t rows = 0;       // with a supported prescription
    double effective_rows = 0;  // of these, that received it
    NumberNeeded needed;
};

// Throws a data error that names the row where an outcome is neither 0 nor 1.
[[nodiscard]] RiskDifference risk_difference(const ScoredRows& rows, double level = 0.95);

}  // namespace polyrx
