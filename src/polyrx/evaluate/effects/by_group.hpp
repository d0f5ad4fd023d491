// SPDX-License-Identifier: Apache-2.0
// Values of treatments and of a policy in groups of rows: the leaves of a tree, or the values of a column.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct GroupValue {
    std::size_t rows = 0;
    double weight = 0;                    // total weight of the rows
    std::vector<std::size_t> received;    // rows by treatment
    std::vector<std::size_t> prescribed;  // rows by treatment
    std::vector<int> never_observed;  // treatments that are prescribed in this group, but that no row of it received

    MeanEstimate observed;  // mean observed outcome
    // Doubly robust values of each treatment for all and of the policy, as bounds where not supported. Not estimable if
    // fewer than ScoredRows::needed_rows effective rows received the treatment.
    std::vector<MeanEstimate> treatments;
    MeanEstimate policy;
    // The best treatment, by these estimates, that the policy does not already give to the whole group, and the gain of
    // the policy over it. The same rows choose and evaluate the rival, so the gain is biased against the policy.
    std::optional<int> rival;
    MeanEstimate margin;
};

// Groups are numbered from 0. All intervals hold simultaneously at `level`, including the gain over every treatment
// that could have been the rival.
[[nodiscard]] std::vector<GroupValue> value_by_group(const ScoredRows& rows, std::span<const std::size_t> group,
                                                     std::size_t groups, double level = 0.95);

// Counts of rows: [received][prescribed].
[[nodiscard]] std::vector<std::vector<std::size_t>> cross_table(const ScoredRows& rows);

}  // namespace polyrx
