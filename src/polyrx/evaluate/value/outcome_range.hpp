// SPDX-License-Identifier: Apache-2.0
// The range of possible outcomes, which bounds values where treatments are not supported.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace polyrx {

enum class RangeOrigin {
    events,    // every outcome is 0 or 1
    declared,  // by the user
    observed,  // from the least to the greatest observed outcome: an assumption
};

[[nodiscard]] std::string_view name_of(RangeOrigin origin);

struct OutcomeRange {
    double least = 0;
    double greatest = 1;
    RangeOrigin origin = RangeOrigin::events;
};

// The declared range, otherwise that of events, otherwise the observed range. Throws a usage error unless least <
// greatest in a declared range, and a data error for no outcomes. Does not check outcomes against a declared range: see
// first_outside().
[[nodiscard]] OutcomeRange outcome_range(std::span<const double> outcome,
                                         const std::optional<OutcomeRange>& declared = {});

// The first row with an outcome outside the range.
[[nodiscard]] std::optional<std::size_t> first_outside(std::span<const double> outcome, const OutcomeRange& range);

}  // namespace polyrx
