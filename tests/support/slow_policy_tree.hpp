// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of the search for policy trees: every split of every node tried.
#pragma once

#include "tests/support/slow_axis_tree.hpp"

namespace polyrx::test {

// The least sum of scores that a tree of at most so many levels of splits gives the rows.
inline double slow_policy_tree(const FeatureRows& features, const Matrix& scores, const std::vector<double>& weight,
                               const Rows& rows, int depth, std::size_t leaf_rows) {
    double best = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < scores.cols(); ++k) {
        double sum = 0;
        for (const std::size_t row : rows) sum += weight[row] * scores(static_cast<Eigen::Index>(row), k);
        best = std::min(best, sum);
    }
    if (depth == 0) return best;
    for (std::size_t f = 0; f < features.features(); ++f)
        for_each_split(features, rows, f, [&](const Sides& sides) {
            if (std::min(sides.left.size(), sides.right.size()) < leaf_rows) return;
            best = std::min(best, slow_policy_tree(features, scores, weight, sides.left, depth - 1, leaf_rows) +
                                      slow_policy_tree(features, scores, weight, sides.right, depth - 1, leaf_rows));
        });
    return best;
}

}  // namespace polyrx::test
