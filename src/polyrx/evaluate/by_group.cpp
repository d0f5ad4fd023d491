// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/by_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// The rows of one group, and means over them.
class Part {
public:
    Part(const ScoredRows& rows, std::vector<std::size_t> members)
        : rows_(rows), members_(std::move(members)), sampled_(rows.sampling, members_) {}

    [[nodiscard]] const std::vector<std::size_t>& members() const { return members_; }

    template <class ValueOfRow>
    [[nodiscard]] MeanEstimate mean(const ValueOfRow& value_of) const {
        std::vector<double> values;
        values.reserve(members_.size());
        for (const std::size_t row : members_) values.push_back(value_of(row));
        return estimate_mean(values, sampled_.sampling());
    }

    [[nodiscard]] double policy_score(std::size_t row) const { return rows_.score(row, rows_.prescriptions[row]); }

private:
    const ScoredRows& rows_;
    std::vector<std::size_t> members_;
    SampledPart sampled_;
};

void count_rows(GroupValue& value, const ScoredRows& rows, const Part& part) {
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

// Where all the group gets one treatment, that is the policy and no rival of it.
void compare_with_rival(GroupValue& value, const ScoredRows& rows, const Part& part) {
    double best = 0;
    for (int k = 0; k < rows.treatments(); ++k) {
        const auto& known = value.treatments[static_cast<std::size_t>(k)].known;
        if (!known || value.prescribed[static_cast<std::size_t>(k)] == value.rows) continue;
        if (value.rival && rows.gain(known->value, best) <= 0) continue;
        value.rival = k;
        best = known->value;
    }
    if (!value.policy.known) {
        value.margin = value.policy;
    } else if (!value.rival) {
        value.margin = not_estimable("no row here received another treatment");
    } else {
        value.margin = part.mean(
            [&](std::size_t row) { return rows.gain(part.policy_score(row), rows.score(row, *value.rival)); });
    }
}

GroupValue value_of(const ScoredRows& rows, const Part& part) {
    GroupValue value;
    count_rows(value, rows, part);
    value.observed = part.mean([&](std::size_t row) { return rows.outcome[row]; });
    for (int k = 0; k < rows.treatments(); ++k)
        value.treatments.push_back(value.rows > 0 && value.received[static_cast<std::size_t>(k)] == 0
                                       ? not_estimable("no row here received it")
                                       : part.mean([&](std::size_t row) { return rows.score(row, k); }));
    const bool any_matched = std::ranges::any_of(part.members(), [&](std::size_t row) { return rows.matched(row); });
    value.policy = value.rows > 0 && !any_matched ? not_estimable("no row received what was prescribed")
                                                  : part.mean([&](std::size_t row) { return part.policy_score(row); });
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
        values.push_back(value_of(rows, Part(rows, std::move(of_group))));
        intervals += intervals_of(values.back());
    }
    const double factor = simultaneous_factor(intervals, level);
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
