// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_leaf.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace polyrx {
namespace {

struct ArmSums {
    std::size_t rows = 0;
    double weight = 0;
    double outcome = 0;
};

}  // namespace

LeafJudge::LeafJudge(const OptimalRows& data, std::span<const RowNumber> learned, const OptimalTreeOptions& options)
    : data_(&data),
      linear_(options.leaves == OptimalLeaves::linear),
      mu_(options.mu),
      penalty_(options.penalty),
      leaf_rows_(static_cast<double>(std::min(options.leaf_rows, learned.size()))) {
    std::vector<std::size_t> arms(static_cast<std::size_t>(data.treatments));
    for (const RowNumber row : learned) {
        ++arms[static_cast<std::size_t>(data.treatment[row])];
        weight_ += data.weight[row];
    }
    arm_rows_ = static_cast<double>(std::min(options.treatment_rows, std::ranges::max(arms)));
}

// With x and y minus their means in the arm: (sum w x x' + penalty I) slopes = sum w x y, over inputs that are not 0 in
// all rows.
void LeafJudge::regress(std::span<const RowNumber> rows, int arm, LeafFit& leaf) const {
    const OptimalRows& data = *data_;
    std::vector<int> place(static_cast<std::size_t>(data.inputs()), -1);
    std::vector<int> used;
    for (const RowNumber row : rows) {
        if (data.treatment[row] != arm) continue;
        for (const OptimalRows::Entry& entry : data.entries(row)) {
            int& at = place[static_cast<std::size_t>(entry.input)];
            if (at >= 0) continue;
            at = static_cast<int>(used.size());
            used.push_back(entry.input);
        }
    }
    const auto size = static_cast<Eigen::Index>(used.size());
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(size, size);  // lower triangle; inputs in order of first use
    Vector products = Vector::Zero(size);
    Vector means = Vector::Zero(size);
    double weight = 0;
    double outcome = 0;
    for (const RowNumber row : rows) {
        if (data.treatment[row] != arm) continue;
        const double w = data.weight[row];
        weight += w;
        outcome += w * data.outcome[row];
        const auto entries = data.entries(row);
        for (std::size_t e = 0; e < entries.size(); ++e) {
            const int at = place[static_cast<std::size_t>(entries[e].input)];
            const double value = w * entries[e].value;
            means[at] += value;
            products[at] += value * data.outcome[row];
            for (std::size_t f = 0; f <= e; ++f) {
                const int other = place[static_cast<std::size_t>(entries[f].input)];
                normal(std::max(at, other), std::min(at, other)) += value * entries[f].value;
            }
        }
    }
    means /= weight;
    const double outcome_mean = outcome / weight;
    products -= outcome * means;
    normal.selfadjointView<Eigen::Lower>().rankUpdate(means, -weight);
    normal.diagonal().array() += penalty_;
    const Vector solution = normal.selfadjointView<Eigen::Lower>().llt().solve(products);
    Vector& slopes = leaf.slopes[static_cast<std::size_t>(arm)];
    slopes = Vector::Zero(data.inputs());
    for (Eigen::Index i = 0; i < size; ++i) slopes[used[static_cast<std::size_t>(i)]] = solution[i];
    leaf.constant[static_cast<std::size_t>(arm)] = outcome_mean - solution.dot(means);
}

bool LeafJudge::is_admissible(std::span<const RowNumber> rows) const {
    std::vector<std::size_t> arms(static_cast<std::size_t>(data_->treatments));
    for (const RowNumber row : rows) ++arms[static_cast<std::size_t>(data_->treatment[row])];
    return static_cast<double>(rows.size()) >= leaf_rows_ && static_cast<double>(std::ranges::max(arms)) >= arm_rows_;
}

LeafFit LeafJudge::fit(std::span<const RowNumber> rows) const {
    const OptimalRows& data = *data_;
    const auto arms = static_cast<std::size_t>(data.treatments);
    std::vector<ArmSums> sums(arms);
    for (const RowNumber row : rows) {
        ArmSums& sum = sums[static_cast<std::size_t>(data.treatment[row])];
        ++sum.rows;
        sum.weight += data.weight[row];
        sum.outcome += data.weight[row] * data.outcome[row];
    }
    LeafFit leaf;
    leaf.constant.resize(arms);
    leaf.totals.resize(arms);
    double weight = 0;
    double outcome = 0;
    for (const ArmSums& sum : sums) {
        leaf.arm_rows.push_back(sum.rows);
        weight += sum.weight;
        outcome += sum.outcome;
    }
    const auto is_eligible = [&](std::size_t k) { return static_cast<double>(sums[k].rows) >= arm_rows_; };
    if (linear_) leaf.slopes.resize(arms);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < arms; ++k) {
        leaf.constant[k] = rows.empty() ? 0 : is_eligible(k) ? sums[k].outcome / sums[k].weight : outcome / weight;
        if (linear_ && is_eligible(k)) regress(rows, static_cast<int>(k), leaf);
        leaf.totals[k] = weight * leaf.constant[k];
        if (linear_ && is_eligible(k))
            for (const RowNumber row : rows)
                leaf.totals[k] += data.weight[row] * leaf.sloped(data, row, static_cast<int>(k));
        if (is_eligible(k) && leaf.totals[k] < least) {
            least = leaf.totals[k];
            leaf.treatment = static_cast<int>(k);
            leaf.admissible = true;
        }
    }
    leaf.admissible = leaf.admissible && static_cast<double>(rows.size()) >= leaf_rows_;
    double squares = 0;
    for (const RowNumber row : rows) {
        const double error = data.outcome[row] - leaf.predicted(data, row, data.treatment[row]);
        squares += data.weight[row] * error * error;
    }
    leaf.cost = mu_ * leaf.totals[static_cast<std::size_t>(leaf.treatment)] + (1 - mu_) * squares;
    return leaf;
}

}  // namespace polyrx
