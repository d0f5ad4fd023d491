// SPDX-License-Identifier: Apache-2.0
// Splits that minimize Gini impurity (CART).
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/grow_axis_tree.hpp"

namespace polyrx {

class ClassificationCriterion {
public:
    static constexpr int most_classes = 64;
    using Weights = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_classes, 1>;

    // In the order of the sample.
    struct Target {
        int label = 0;
        double weight = 1;
    };

    struct Tally {
        Weights weights;  // per class
        std::size_t rows = 0;
    };

    ClassificationCriterion(std::vector<Target> targets, int classes, std::size_t leaf_rows)
        : targets_(std::move(targets)), classes_(classes), leaf_rows_(leaf_rows), total_(nothing()) {}

    void move(std::size_t first, std::span<const Position> from) { move_along(targets_, first, from); }
    bool enter(std::span<const Position> rows) {
        total_ = nothing();
        for (const Position row : rows) add(total_, row);
        return (total_.weights.array() > 0).count() > 1;
    }
    [[nodiscard]] Tally nothing() const { return {Weights::Zero(classes_), 0}; }
    void add(Tally& tally, Position row) const {
        tally.weights[targets_[row].label] += targets_[row].weight;
        ++tally.rows;
    }
    void join(Tally& tally, const Tally& other) const {
        tally.weights += other.weights;
        tally.rows += other.rows;
    }
    // The weight of the node minus weighted impurity.
    [[nodiscard]] double gain(const Tally& left) const {
        if (left.rows < leaf_rows_ || total_.rows - left.rows < leaf_rows_) return not_admissible;
        double squares_left = 0;
        double squares_right = 0;
        double weight_left = 0;
        double weight_right = 0;
        for (int k = 0; k < classes_; ++k) {
            const double a = left.weights[k];
            const double b = total_.weights[k] - a;
            squares_left += a * a;
            squares_right += b * b;
            weight_left += a;
            weight_right += b;
        }
        return squares_left / weight_left + squares_right / weight_right;
    }
    [[nodiscard]] double least_gain() const { return not_admissible; }
    // The share of the node's most common class: exact for two classes, a heuristic for more.
    [[nodiscard]] double order_of(const Tally& tally) const {
        Eigen::Index commonest = 0;
        total_.weights.maxCoeff(&commonest);
        return tally.weights[commonest] / tally.weights.sum();
    }
    void close(int node, std::span<const Position>) {
        if (shares.size() <= static_cast<std::size_t>(node)) shares.resize(static_cast<std::size_t>(node) + 1);
        shares[static_cast<std::size_t>(node)] = total_.weights / total_.weights.sum();
    }

    std::vector<Vector> shares;  // per node, only for leaves: share of each class

private:
    std::vector<Target> targets_;
    int classes_;
    std::size_t leaf_rows_;
    Tally total_;
};

}  // namespace polyrx
