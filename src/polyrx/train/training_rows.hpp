// SPDX-License-Identifier: Apache-2.0
// Rows ready for training: scaled inputs, in float32.
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
    std::vector<float> weight;  // mean 1; one for each row
    // Bit k of a row: treatment k may be prescribed to it. Empty: every treatment to every row.
    std::vector<std::uint64_t> allowed = {};
    // Of distillation; both empty: there is no teacher. Its outcomes of every treatment minus their mean over
    // treatments, row after row, and how much each row's count.
    std::vector<float> teacher = {};
    std::vector<float> teacher_weight = {};

    [[nodiscard]] Eigen::Index size() const { return inputs.rows(); }
};

// Some of them that follow each other.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

}  // namespace polyrx
