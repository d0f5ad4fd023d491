// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/effects/scored_part.hpp"

namespace polyrx {
namespace {

bool is_risk(double outcome) {
    return outcome == 0 || outcome == 1;
}

}  // namespace

bool is_binary(std::span<const double> outcome) {
    return std::ranges::all_of(outcome, is_risk);
}

NumberNeeded number_needed(const MeanEstimate& difference, bool larger_is_better) {
    NumberNeeded needed;
    if (!difference.known) {
        needed.reason = difference.reason;
        return needed;
    }
    const ValueAndError& known = *difference.known;
    needed.to_benefit = larger_is_better ? known.value >= 0 : known.value <= 0;
    if (known.value != 0) needed.value = 1 / std::abs(known.value);
    if (known.low > 0 || known.high < 0) {
        needed.low = 1 / std::max(std::abs(known.low), std::abs(known.high));
        needed.high = 1 / std::min(std::abs(known.low), std::abs(known.high));
    } else {
        needed.reason = "not estimable as one interval: that of the risk difference covers 0";
    }
    return needed;
}

RiskDifference risk_difference(const ScoredRows& rows, double level) {
    check_scored(rows);
    for (std::size_t row = 0; row < rows.rows(); ++row)
        if (!is_risk(rows.outcome[row]))
            throw data_error(fmt::format("row {}: the outcome is {}, but risk differences are of outcomes 0 and 1",
                                         row + 1, rows.outcome[row]));
    std::vector<std::size_t> members;
    std::vector<double> differences;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        if (!rows.is_supported(row, rows.prescriptions[row])) continue;
        members.push_back(row);
        differences.push_back(rows.score(row, rows.prescriptions[row]) - rows.outcome[row]);
    }
    const ScoredPart part(rows, members);
    RiskDifference risk;
    risk.rows = members.size();
    risk.effective_rows = part.effective_rows_of_policy();
    risk.difference = risk.effective_rows == 0 ? not_estimable("no row received what was prescribed")
                      : risk.effective_rows < rows.needed_rows
                          ? too_few_rows(risk.effective_rows, rows.needed_rows)
                          : estimate_mean(differences, SampledPart(rows.sampling, members).sampling());
    set_interval(risk.difference, simultaneous_factor(1, level));
    risk.needed = number_needed(risk.difference, rows.larger_is_better);
    return risk;
}

}  // namespace polyrx
