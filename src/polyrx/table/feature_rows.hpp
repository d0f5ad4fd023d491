// SPDX-License-Identifier: Apache-2.0
// Features as trees and forests read them: numbers or category indices, NaN where missing.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct FeatureRows {
    Eigen::MatrixXd values;   // rows x features, column-major; NaN where a value is missing
    std::vector<int> levels;  // by feature: 0 if numeric, otherwise the number of categories

    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(values.rows()); }
    [[nodiscard]] std::size_t features() const { return levels.size(); }
};

}  // namespace polyrx
