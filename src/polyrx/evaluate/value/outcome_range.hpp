// SPDX-License-Identifier: Apache-2.0
// The least and the greatest outcome that a row could have had: what bounds a value where the data are silent.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace polyrx {

enum class RangeOrigin {
    events,    // every outcome is 0 or 1
    declared,  // by the user
    observed,  // the least and the greatest observed outcome: an assumption
};

[[nodiscard]] std::string_view name_of(RangeOrigin origin);

struct OutcomeRange {
    double least = 0;
    double greatest = 1;
    RangeOrigin origin = RangeOrigin::events;
};

// The declared range, or else that of events, or of what was observed. Throws a usage error for a declared range whose
// least is not below its greatest, and a data error for no outcomes. Outcomes may be outside of a declared range: see
// first_outside().
[[nodiscard]] OutcomeRange outcome_range(std::span<const double> outcome,
                                         const std::optional<OutcomeRange>& declared = {});

// The first row whose outcome is outside of the range.
[[nodiscard]] std::optional<std::size_t> first_outside(std::span<const double> outcome, const OutcomeRange& range);

}  // namespace polyrx
