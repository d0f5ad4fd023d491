// SPDX-License-Identifier: Apache-2.0
// Training data for methods that read feature rows: features, treatments and outcomes. Borrows all of it.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

struct TreatedRows {
    const FeatureRows& features;
    std::span<const int> treatment;  // 0 .. treatments-1
    int treatments = 0;
    std::span<const double> outcome;      // smaller is better
    std::span<const double> weight = {};  // positive; empty if all are 1
    // Rows with equal numbers are held out together; empty if there are no groups.
    std::span<const std::size_t> group = {};
    const Matrix* design = nullptr;  // known propensities, rows x treatments; nullptr if they are estimated

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

}  // namespace polyrx
