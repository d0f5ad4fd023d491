// SPDX-License-Identifier: Apache-2.0
// What a leaf of an optimal prescriptive tree predicts, prescribes and costs (Bertsimas, Dunn & Mundru 2019).
//
// An arm with enough rows is eligible: it predicts its mean, or by a ridge regression of its own. An arm that is not
// predicts the mean of the leaf. The leaf prescribes the eligible arm t with the least sum of predictions over its
// rows, and costs
//
//     mu [sum of y over rows that got t + sum of predictions for t over the others] + (1 - mu) sum of (y -
//     prediction)^2.
//
// Regressions have an intercept, so the predictions for t of those who got it sum to their outcomes: the bracket is the
// sum of all predictions for t. With constant predictions and mu = 1 that is the impurity of personalization trees.
#pragma once

#include "polyrx/baselines/optimal/optimal_rows.hpp"
#include "polyrx/baselines/optimal/optimal_tree.hpp"

namespace polyrx {

// In the units of OptimalRows.
struct LeafFit {
    double cost = 0;          // a sum over rows, times their weights
    bool admissible = false;  // it has enough rows, and an eligible arm
    int treatment = 0;
    std::vector<double> constant;       // by arm
    std::vector<Vector> slopes;         // by arm; none of a constant leaf, empty of an arm that is not eligible
    std::vector<double> totals;         // by arm: the sum of predictions over all rows of the leaf
    std::vector<std::size_t> arm_rows;  // by arm

    // Without the constant.
    [[nodiscard]] double sloped(const OptimalRows& data, RowNumber row, int arm) const {
        double sum = 0;
        if (slopes.empty() || slopes[static_cast<std::size_t>(arm)].size() == 0) return sum;
        const Vector& slope = slopes[static_cast<std::size_t>(arm)];
        for (const OptimalRows::Entry& entry : data.entries(row)) sum += slope[entry.input] * entry.value;
        return sum;
    }
    [[nodiscard]] double predicted(const OptimalRows& data, RowNumber row, int arm) const {
        return constant[static_cast<std::size_t>(arm)] + sloped(data, row, arm);
    }
};

// Which leaves there may be, and what they cost.
class LeafJudge {
public:
    // Some rows of the data are learned from. They are always a leaf: where they have fewer rows than a leaf needs, or
    // no arm of as many as is asked for, no more than they have is asked for.
    LeafJudge(const OptimalRows& data, std::span<const RowNumber> learned, const OptimalTreeOptions& options);

    [[nodiscard]] LeafFit fit(std::span<const RowNumber> rows) const;
    [[nodiscard]] bool is_admissible(std::span<const RowNumber> rows) const;

    [[nodiscard]] const OptimalRows& data() const { return *data_; }
    [[nodiscard]] bool is_linear() const { return linear_; }
    [[nodiscard]] double mu() const { return mu_; }
    [[nodiscard]] double leaf_rows() const { return leaf_rows_; }
    [[nodiscard]] double arm_rows() const { return arm_rows_; }
    [[nodiscard]] double weight() const { return weight_; }  // of what is learned from

private:
    // An arm's regression: slopes, and the constant.
    void regress(std::span<const RowNumber> rows, int arm, LeafFit& leaf) const;

    const OptimalRows* data_;
    bool linear_;
    double mu_;
    double penalty_;
    double leaf_rows_;
    double arm_rows_;
    double weight_ = 0;
};

}  // namespace polyrx
