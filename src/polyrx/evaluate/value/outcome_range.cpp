// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/outcome_range.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/value/risk.hpp"

namespace polyrx {

std::string_view name_of(RangeOrigin origin) {
    switch (origin) {
        case RangeOrigin::events:
            return "events";
        case RangeOrigin::declared:
            return "declared";
        case RangeOrigin::observed:
            break;
    }
    return "observed";
}

OutcomeRange outcome_range(std::span<const double> outcome, const std::optional<OutcomeRange>& declared) {
    if (outcome.empty()) throw data_error("there are no rows to evaluate");
    if (declared) {
        if (!(declared->least < declared->greatest))
            throw usage_error(fmt::format("the range of outcomes must have its least below its greatest, not {} and {}",
                                          declared->least, declared->greatest));
        return {declared->least, declared->greatest, RangeOrigin::declared};
    }
    if (is_binary(outcome)) return {0, 1, RangeOrigin::events};
    const auto [least, greatest] = std::ranges::minmax(outcome);
    return {least, greatest, RangeOrigin::observed};
}

std::optional<std::size_t> first_outside(std::span<const double> outcome, const OutcomeRange& range) {
    for (std::size_t row = 0; row < outcome.size(); ++row)
        if (!(outcome[row] >= range.least && outcome[row] <= range.greatest)) return row;
    return std::nullopt;
}

}  // namespace polyrx
