// SPDX-License-Identifier: Apache-2.0
// The criterion of personalization trees: splits minimize the outcome under the best single treatment of each side
// (Kallus 2017).
//
// The impurity I of rows is the smallest mean outcome of any treatment, among rows that received it. A split is worth
// |S| I(S) - |L| I(L) - |R| I(R). Means are weighted, and |.| is the weight of all rows regardless of treatment. The
// minimum number of rows per treatment counts rows, not weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "polyrx/learners/trees/grow_axis_tree.hpp"

namespace polyrx {

class PersonalizationCriterion {
public:
    static constexpr int most_treatments = 64;

    // In the order of the sample. A row drawn k times counts as k rows.
    struct Target {
        int treatment = 0;
        double weight = 1;  // summed over all draws
        double outcome = 0;
        double times = 1;
    };

    // Per treatment: weight, weight * outcome, number of rows.
    using Tally = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, most_treatments>;

    // Each side keeps at least `treatment_rows` (at least 1) rows of every treatment.
    PersonalizationCriterion(std::vector<Target> targets, int treatments, std::size_t treatment_rows)
        : targets_(std::move(targets)),
          treatments_(treatments),
          treatment_rows_(static_cast<double>(treatment_rows)),
          total_(nothing()) {}

    void move(std::size_t first, std::span<const Position> from) { move_along(targets_, first, from); }
    bool enter(std::span<const Position> rows) {
        total_ = nothing();
        double largest = 0;
        for (const Position row : rows) {
            add(total_, row);
            largest = std::max(largest, std::abs(targets_[row].outcome));
        }
        best_ = best_of(total_);
        const Eigen::Vector3d others = total_.rowwise().sum() - total_.col(best_);
        best_mean_ = mean_of(total_, best_);
        others_mean_ = mean_or(best_mean_, others);
        const double weight = total_.row(weights).sum();
        cost_ = weight * best_mean_;
        rounding_ = 1e-12 * weight * largest;
        return total_.row(counts).minCoeff() >= 2 * treatment_rows_;
    }
    [[nodiscard]] Tally nothing() const { return Tally::Zero(3, treatments_); }
    void add(Tally& tally, Position row) const {
        const Target& target = targets_[row];
        tally.col(target.treatment) += Eigen::Vector3d(target.weight, target.weight * target.outcome, target.times);
    }
    void join(Tally& tally, const Tally& other) const { tally += other; }

    [[nodiscard]] double gain(const Tally& left) const {
        double weight_left = 0;
        double weight_right = 0;
        double mean_left = std::numeric_limits<double>::infinity();
        double mean_right = mean_left;
        for (int k = 0; k < treatments_; ++k) {
            const Eigen::Vector3d a = left.col(k);
            const Eigen::Vector3d b = total_.col(k) - a;
            if (a[counts] < treatment_rows_ || b[counts] < treatment_rows_) return not_admissible;
            weight_left += a[weights];
            weight_right += b[weights];
            mean_left = std::min(mean_left, a[sums] / a[weights]);
            mean_right = std::min(mean_right, b[sums] / b[weights]);
        }
        return cost_ - (weight_left * mean_left + weight_right * mean_right);
    }
    // The cost must fall by more than rounding errors.
    [[nodiscard]] double least_gain() const { return rounding_; }

    // The margin of the node's best treatment over the mean of the others in a category; for two treatments, the
    // effect. If no row of the category received one of them, the node's mean is used.
    [[nodiscard]] double order_of(const Tally& tally) const {
        const Eigen::Vector3d best = tally.col(best_);
        const Eigen::Vector3d others = tally.rowwise().sum() - best;
        return mean_or(best_mean_, best) - mean_or(others_mean_, others);
    }

    void close(int node, std::span<const Position>) {
        if (leaves.size() <= static_cast<std::size_t>(node)) leaves.resize(static_cast<std::size_t>(node) + 1);
        leaves[static_cast<std::size_t>(node)] = total_;
    }

    // Infinite without rows, so a treatment that no row received is never the best.
    [[nodiscard]] static double mean_of(const Tally& tally, int treatment) {
        return mean_or(std::numeric_limits<double>::infinity(), tally.col(treatment));
    }
    // The treatment with the smallest mean; the first among equals.
    [[nodiscard]] static int best_of(const Tally& tally) {
        int best = 0;
        for (int k = 1; k < static_cast<int>(tally.cols()); ++k)
            if (mean_of(tally, k) < mean_of(tally, best)) best = k;
        return best;
    }
    [[nodiscard]] static std::size_t rows_of(const Tally& tally, int treatment) {
        return static_cast<std::size_t>(tally(counts, treatment));
    }

    std::vector<Tally> leaves;  // per node

private:
    static constexpr int weights = 0;
    static constexpr int sums = 1;
    static constexpr int counts = 2;

    [[nodiscard]] static double mean_or(double otherwise, const Eigen::Vector3d& some) {
        return some[counts] > 0 ? some[sums] / some[weights] : otherwise;
    }

    std::vector<Target> targets_;
    int treatments_;
    double treatment_rows_;
    Tally total_;
    int best_ = 0;  // the node's best treatment, its mean, and the mean of all others together
    double best_mean_ = 0;
    double others_mean_ = 0;
    double cost_ = 0;
    double rounding_ = 0;
};

}  // namespace polyrx
