// SPDX-License-Identifier: Apache-2.0
// What methods on feature rows learn from: who got which treatment, and what came of it. Others own all of it.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

struct TreatedRows {
    const FeatureRows& features;
    std::span<const int> treatment;  // 0 .. treatments-1
    int treatments = 0;
    std::span<const double> outcome;      // small is good
    std::span<const double> weight = {};  // positive; empty when every row counts once
    // Rows with equal numbers belong together and are held out together; empty when each row is on its own.
    std::span<const std::size_t> group = {};
    const Matrix* design = nullptr;  // rows x treatments: known propensities; nullptr when they are estimated

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

}  // namespace polyrx
