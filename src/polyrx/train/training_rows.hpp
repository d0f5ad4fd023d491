// SPDX-License-Identifier: Apache-2.0
// Rows prepared for training: scaled float32 inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct TrainingRows {
    MatrixF inputs;  // one row per unit
    std::vector<int> treatment;
    std::vector<float> outcome;
    std::vector<float> weight;  // one per row, with mean 1
    // Bit k of a row: treatment k is allowed. Empty: all treatments are allowed for all rows.
    std::vector<std::uint64_t> allowed = {};
    // For distillation; both are empty without a teacher. The teacher's outcomes for every treatment minus their mean
    // over treatments, row by row, and the weight of each row.
    std::vector<float> teacher = {};
    std::vector<float> teacher_weight = {};

    [[nodiscard]] Eigen::Index size() const { return inputs.rows(); }
};

// A contiguous range of rows.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

}  // namespace polyrx
