// SPDX-License-Identifier: Apache-2.0
// The order of rows by each feature, computed once for all trees of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Index among the rows that a learner received.
using RowIndex = std::uint32_t;

struct RankedFeature {
    int levels = 0;              // as in FeatureRows
    std::vector<double> values;  // for numbers: the distinct values, ascending
    // Per row: the index of its value, or its category; one more than the last if missing.
    std::vector<std::uint32_t> rank;
    std::vector<RowIndex> order;  // for numbers: rows by rank, then by index

    [[nodiscard]] std::uint32_t missing() const {
        return levels > 0 ? static_cast<std::uint32_t>(levels) : static_cast<std::uint32_t>(values.size());
    }
    // A number between two of the values that floating point separates from both.
    [[nodiscard]] double between(std::uint32_t lower, std::uint32_t upper) const;
};

struct RankedFeatures {
    // Uses only the named rows and renumbers them in this order.
    RankedFeatures(const FeatureRows& features, std::span<const std::size_t> rows);

    std::size_t rows = 0;
    std::vector<RankedFeature> features;
};

}  // namespace polyrx
