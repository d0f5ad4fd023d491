// SPDX-License-Identifier: Apache-2.0
// The column of the smallest number in each row of a matrix.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// Ties go to the lowest index.
[[nodiscard]] inline std::vector<int> argmin_rows(const Matrix& outcomes) {
    std::vector<int> best(static_cast<std::size_t>(outcomes.rows()));
    for (Eigen::Index i = 0; i < outcomes.rows(); ++i) {
        Eigen::Index k = 0;
        for (Eigen::Index j = 1; j < outcomes.cols(); ++j)
            if (outcomes(i, j) < outcomes(i, k)) k = j;
        best[static_cast<std::size_t>(i)] = static_cast<int>(k);
    }
    return best;
}

}  // namespace polyrx
