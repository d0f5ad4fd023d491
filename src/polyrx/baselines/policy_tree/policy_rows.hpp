// SPDX-License-Identifier: Apache-2.0
// The rows of a node of a policy tree, prepared for the search: the cost of each treatment, and the order by each
// feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/trees/ranked_features.hpp"

namespace polyrx {

// How much worse a treatment is for a row than the row's best one, in small integer units. Integer sums do not depend
// on the order, so ties are exact, and they do not overflow.
using PolicyCost = std::int64_t;

// The values of a feature among these rows, numbered from 0: numbers in ascending order; categories in the order of
// their levels, with "missing" as one more.
struct SlottedFeature {
    bool is_number = true;
    std::uint32_t slots = 0;
    std::vector<std::uint32_t> rank;   // per slot: the feature's RankedFeature::rank
    std::vector<std::uint32_t> slot;   // per row; `slots` if a number is missing
    std::vector<std::uint32_t> order;  // for numbers: rows by slot, those without a value last
    std::size_t missing = 0;           // for numbers: rows without a value
};

struct PolicyRows {
    std::vector<std::uint32_t> row;              // index among the rows at the start of the search
    std::vector<std::vector<PolicyCost>> costs;  // by treatment, then row
    std::vector<SlottedFeature> features;

    [[nodiscard]] std::size_t rows() const { return row.size(); }
    [[nodiscard]] std::size_t treatments() const { return costs.size(); }
};

// Prepares all rows. Scores are rows x treatments, smaller is better. No weights: all rows have weight 1. Throws a data
// error for scores that are not finite or too large to sum.
[[nodiscard]] PolicyRows policy_rows(const RankedFeatures& ranked, const Matrix& scores,
                                     std::span<const double> weight);

// The rows on the left (or right), in the same order.
[[nodiscard]] PolicyRows one_side(const PolicyRows& rows, const std::vector<char>& is_left, bool left);

// Per treatment.
[[nodiscard]] std::vector<PolicyCost> total_costs(const PolicyRows& rows);

}  // namespace polyrx
