// SPDX-License-Identifier: Apache-2.0
// How well the rows whose prescription is not supported must fare for a policy to equal practice.
#pragma once

#include <optional>

#include "polyrx/evaluate/value/bounded_value.hpp"

namespace polyrx {

// Means over the rows whose prescription is not supported.
struct TippingPoint {
    double outcome = 0;  // under the policy, at which it equals practice
    double now = 0;      // as it was
    // What it can be under the policy: outcomes of rows that received their prescription are known.
    double least = 0;
    double greatest = 0;

    [[nodiscard]] bool possible() const { return outcome >= least && outcome <= greatest; }
};

// What these rows had, minus what the others gain: `gain_where_supported` is of all rows, the mean of score - y where
// supported and 0 elsewhere. None where every prescription is supported.
[[nodiscard]] std::optional<TippingPoint> tipping_point(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                                        const OutcomeRange& range, double gain_where_supported);

}  // namespace polyrx
