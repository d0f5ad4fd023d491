// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of objective (4), in float64, with the prescriptions handed in so that they can be frozen.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx::test {

inline int slow_argmin(const Matrix& outcomes, Eigen::Index row) {
    int best = 0;
    for (int k = 1; k < outcomes.cols(); ++k)
        if (outcomes(row, k) < outcomes(row, best)) best = k;
    return best;
}

struct SlowRow {
    int treatment = 0;
    double outcome = 0;
    double weight = 1;
};

// Mean over the rows.
inline double slow_objective(const Matrix& predicted, const std::vector<int>& prescribed,
                             const std::vector<SlowRow>& rows, double mu) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const SlowRow& seen = rows[i];
        const double prescription_outcome =
            prescribed[i] == seen.treatment ? seen.outcome : predicted(row, prescribed[i]);
        const double error = seen.outcome - predicted(row, seen.treatment);
        sum += seen.weight * (mu * prescription_outcome + (1 - mu) * error * error);
    }
    return sum / static_cast<double>(rows.size());
}

}  // namespace polyrx::test
