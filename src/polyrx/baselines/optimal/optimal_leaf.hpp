// SPDX-License-Identifier: Apache-2.0
// Predictions, prescription and cost of a leaf of an optimal prescriptive tree (Bertsimas, Dunn & Mundru 2019).
//
// An arm with enough rows is eligible: it predicts its mean, or with its own ridge regression. Other arms predict the
// mean of the leaf. The leaf prescribes the eligible arm t with the smallest sum of predictions over its rows. Its cost
// is
//
//     mu [sum of y over rows that received t + sum of predictions for t over the others]
//     + (1 - mu) sum of (y - prediction)^2.
//
// Regressions have an intercept, so predictions for t sum to the outcomes over rows that received t, and the bracket is
// the sum of all predictions for t. With constant predictions and mu = 1, the cost is the impurity of personalization
// trees.
#pragma once

#include "polyrx/baselines/optimal/optimal_rows.hpp"
#include "polyrx/baselines/optimal/optimal_tree.hpp"

namespace polyrx {

// In the units of OptimalRows.
struct LeafFit {
    double cost = 0;          // sum over rows, weighted
    bool admissible = false;  // has enough rows and an eligible arm
    int treatment = 0;
    std::vector<double> constant;       // per arm
    std::vector<Vector> slopes;         // per arm; none for constant leaves, empty for arms that are not eligible
    std::vector<double> totals;         // per arm: sum of predictions over all rows of the leaf
    std::vector<std::size_t> arm_rows;  // per arm

    // The prediction without the constant.
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

// Decides which leaves are admissible, and their cost.
class LeafJudge {
public:
    // `learned` are the rows to learn from. They can always form one leaf: if they are fewer than the required rows per
    // leaf or per arm, the requirement is lowered to what they have.
    LeafJudge(const OptimalRows& data, std::span<const RowNumber> learned, const OptimalTreeOptions& options);

    [[nodiscard]] LeafFit fit(std::span<const RowNumber> rows) const;
    [[nodiscard]] bool is_admissible(std::span<const RowNumber> rows) const;

    [[nodiscard]] const OptimalRows& data() const { return *data_; }
    [[nodiscard]] bool is_linear() const { return linear_; }
    [[nodiscard]] double mu() const { return mu_; }
    [[nodiscard]] double leaf_rows() const { return leaf_rows_; }
    [[nodiscard]] double arm_rows() const { return arm_rows_; }
    [[nodiscard]] double weight() const { return weight_; }  // total weight of the learned rows

private:
    // Fits an arm's regression: slopes and constant.
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
