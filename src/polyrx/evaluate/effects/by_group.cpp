// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/by_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/effects/scored_part.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"

namespace polyrx {
namespace {

void count_rows(GroupValue& value, const ScoredRows& rows, const ScoredPart& part) {
    const auto treatments = static_cast<std::size_t>(rows.treatments());
    value.received.assign(treatments, 0);
    value.prescribed.assign(treatments, 0);
    value.rows = part.members().size();
    for (const std::size_t row : part.members()) {
        ++value.received[static_cast<std::size_t>(rows.treatment[row])];
        ++value.prescribed[static_cast<std::size_t>(rows.prescriptions[row])];
        value.weight += rows.sampling.weight_of(row);
    }
    for (std::size_t k = 0; k < treatments; ++k)
        if (value.prescribed[k] > 0 && value.received[k] == 0) value.never_observed.push_back(static_cast<int>(k));
}

// The worse of the two bounds.
double surely(const ValueAndError& known, bool larger_is_better) {
    return larger_is_better || !known.upper ? known.value : known.upper->value;
}

// The rival is the treatment with the best pessimistic bound. A treatment that the policy gives to the whole group is
// the policy itself and not a rival.
void compare_with_rival(GroupValue& value, const ScoredRows& rows, const ScoredPart& part) {
    double best = 0;
    for (int k = 0; k < rows.treatments(); ++k) {
        const auto& known = value.treatments[static_cast<std::size_t>(k)].known;
        if (!known || value.prescribed[static_cast<std::size_t>(k)] == value.rows) continue;
        const double surely_worth = surely(*known, rows.larger_is_better);
        if (value.rival && rows.gain(surely_worth, best) <= 0) continue;
        value.rival = k;
        best = surely_worth;
    }
    if (!value.policy.known) {
        value.margin = value.policy;
    } else if (!value.rival) {
        value.margin = not_estimable("no row here received another treatment");
    } else {
        value.margin = part.gain_over(*value.rival);
    }
}

GroupValue value_of(const ScoredRows& rows, const ScoredPart& part) {
    GroupValue value;
    count_rows(value, rows, part);
    value.observed = part.observed();
    for (int k = 0; k < rows.treatments(); ++k) {
        const double effective = part.effective_rows(k);
        value.treatments.push_back(value.rows > 0 && value.received[static_cast<std::size_t>(k)] == 0
                                       ? not_estimable("no row here received it")
                                   : effective < rows.needed_rows ? too_few_rows(effective, rows.needed_rows)
                                                                  : part.constant(k));
    }
    const bool any_matched = std::ranges::any_of(part.members(), [&](std::size_t row) { return rows.matched(row); });
    const double effective = part.effective_rows_of_policy();
    value.policy = value.rows > 0 && !any_matched ? not_estimable("no row received what was prescribed")
                   : effective < rows.needed_rows ? too_few_rows(effective, rows.needed_rows)
                                                  : part.policy();
    compare_with_rival(value, rows, part);
    return value;
}

std::size_t intervals_of(const GroupValue& value) {
    const auto treatments = static_cast<std::size_t>(std::ranges::count_if(
        value.treatments, [](const MeanEstimate& estimate) { return estimate.known.has_value(); }));
    const std::size_t observed = value.observed.known ? 1 : 0;
    const std::size_t policy = value.policy.known ? 1 : 0;
    const std::size_t possible_rivals = value.margin.known ? treatments : 0;
    return observed + treatments + policy + possible_rivals;
}

bool has_bounds(const GroupValue& value) {
    const auto bounded = [](const MeanEstimate& estimate) { return estimate.known && estimate.known->upper; };
    return bounded(value.policy) || bounded(value.margin) || std::ranges::any_of(value.treatments, bounded);
}

}  // namespace

std::vector<GroupValue> value_by_group(const ScoredRows& rows, std::span<const std::size_t> group, std::size_t groups,
                                       double level) {
    check_scored(rows);
    if (group.size() != rows.rows())
        throw usage_error(fmt::format("{} rows have a group, but there are {} rows", group.size(), rows.rows()));
    std::vector<std::vector<std::size_t>> members(groups);
    for (std::size_t row = 0; row < group.size(); ++row) {
        if (group[row] >= groups)
            throw usage_error(fmt::format("row {}: group {} is none of {} groups", row + 1, group[row], groups));
        members[group[row]].push_back(row);
    }
    std::vector<GroupValue> values;
    std::size_t intervals = 0;
    for (std::vector<std::size_t>& of_group : members) {
        values.push_back(value_of(rows, ScoredPart(rows, std::move(of_group))));
        intervals += intervals_of(values.back());
    }
    const double factor = std::ranges::any_of(values, has_bounds) ? bonferroni_factor(intervals, level)
                                                                  : simultaneous_factor(intervals, level);
    for (GroupValue& value : values) {
        for (MeanEstimate* estimate : {&value.observed, &value.policy, &value.margin}) set_interval(*estimate, factor);
        for (MeanEstimate& estimate : value.treatments) set_interval(estimate, factor);
    }
    return values;
}

std::vector<std::vector<std::size_t>> cross_table(const ScoredRows& rows) {
    check_scored(rows);
    const auto treatments = static_cast<std::size_t>(rows.treatments());
    std::vector<std::vector<std::size_t>> table(treatments, std::vector<std::size_t>(treatments, 0));
    for (std::size_t row = 0; row < rows.rows(); ++row)
        ++table[static_cast<std::size_t>(rows.treatment[row])][static_cast<std::size_t>(rows.prescriptions[row])];
    return table;
}

}  // namespace polyrx
