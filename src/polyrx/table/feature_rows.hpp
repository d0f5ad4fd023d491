// SPDX-License-Identifier: Apache-2.0
// Rows as trees see them: of each feature a number, or the index of a category, or nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct FeatureRows {
    Eigen::MatrixXd values;   // rows x features, one feature after the other; NaN where a value is missing
    std::vector<int> levels;  // by feature: 0 for numbers, else how many categories it has, numbered from 0

    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(values.rows()); }
    [[nodiscard]] std::size_t features() const { return levels.size(); }
};

}  // namespace polyrx
