// SPDX-License-Identifier: Apache-2.0
// The rows of a node of a policy tree as its search sees them: what each treatment costs them, and their order by every
// feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/trees/ranked_features.hpp"

namespace polyrx {

// By how much a treatment is worse for a row than the row's best one, as a whole number of a very small unit. Sums of
// them are the same in any order, so that ties are ties, and no sum overflows.
using PolicyCost = std::int64_t;

// Values of a feature that rows here have, numbered from 0: of numbers in ascending order; of categories in the order
// of their levels, with "missing" for one more.
struct SlottedFeature {
    bool is_number = true;
    std::uint32_t slots = 0;
    std::vector<std::uint32_t> rank;   // by slot: the feature's RankedFeature::rank
    std::vector<std::uint32_t> slot;   // by row; `slots` where a number is missing
    std::vector<std::uint32_t> order;  // of a number: the rows by slot, those without a value last
    std::size_t missing = 0;           // of a number: rows without a value
};

struct PolicyRows {
    std::vector<std::uint32_t> row;              // which of the rows that the search began with
    std::vector<std::vector<PolicyCost>> costs;  // by treatment, by row
    std::vector<SlottedFeature> features;

    [[nodiscard]] std::size_t rows() const { return row.size(); }
    [[nodiscard]] std::size_t treatments() const { return costs.size(); }
};

// All rows. Scores are rows x treatments, small is good; no weights: every row counts once. Throws a data error for
// scores that are not finite, or too far apart to be added up.
[[nodiscard]] PolicyRows policy_rows(const RankedFeatures& ranked, const Matrix& scores,
                                     std::span<const double> weight);

// Those that are (or are not) on the left, in the order they are in.
[[nodiscard]] PolicyRows one_side(const PolicyRows& rows, const std::vector<char>& is_left, bool left);

// By treatment.
[[nodiscard]] std::vector<PolicyCost> total_costs(const PolicyRows& rows);

}  // namespace polyrx
