// SPDX-License-Identifier: Apache-2.0
// The order of rows by each feature, found once for all trees of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Which of the rows that a learner was given.
using RowIndex = std::uint32_t;

struct RankedFeature {
    int levels = 0;              // as in FeatureRows
    std::vector<double> values;  // of a number: its different values, ascending
    // By row: which of the values, or the category; one more than the last where it is missing.
    std::vector<std::uint32_t> rank;
    std::vector<RowIndex> order;  // of a number: the rows by rank, those of the same by index

    [[nodiscard]] std::uint32_t missing() const {
        return levels > 0 ? static_cast<std::uint32_t>(levels) : static_cast<std::uint32_t>(values.size());
    }
    // A number between two of the values, which rounding does not put on either side of both.
    [[nodiscard]] double between(std::uint32_t lower, std::uint32_t upper) const;
};

struct RankedFeatures {
    // Of some of the rows, which are numbered anew in this order.
    RankedFeatures(const FeatureRows& features, std::span<const std::size_t> rows);

    std::size_t rows = 0;
    std::vector<RankedFeature> features;
};

}  // namespace polyrx
