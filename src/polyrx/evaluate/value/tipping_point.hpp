// SPDX-License-Identifier: Apache-2.0
// The mean outcome of unsupported rows at which a policy equals current practice.
#pragma once

#include <optional>

#include "polyrx/evaluate/value/bounded_value.hpp"

namespace polyrx {

// Means over the rows with an unsupported prescription.
struct TippingPoint {
    double outcome = 0;  // under the policy, if it equals current practice
    double now = 0;      // observed
    // Range under the policy. Outcomes of rows that received their prescription are known.
    double least = 0;
    double greatest = 0;

    [[nodiscard]] bool possible() const { return outcome >= least && outcome <= greatest; }
};

// The observed mean of these rows minus the gain of the other rows. `gain_where_supported` is over all rows: the mean
// of score - y where supported, and 0 elsewhere. Empty if every prescription is supported.
[[nodiscard]] std::optional<TippingPoint> tipping_point(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                                        const OutcomeRange& range, double gain_where_supported);

}  // namespace polyrx
