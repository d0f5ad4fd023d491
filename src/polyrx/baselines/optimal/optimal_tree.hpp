// SPDX-License-Identifier: Apache-2.0
// Optimal prescriptive trees (OPT, Bertsimas, Dunn & Mundru 2019): the whole tree is improved at once, not grown split
// by split, for what it prescribes and for what it predicts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

enum class OptimalSplits { axis, hyperplane };
enum class OptimalLeaves { constant, linear };

struct OptimalTreeOptions {
    OptimalSplits splits = OptimalSplits::axis;
    OptimalLeaves leaves = OptimalLeaves::constant;
    double mu = 0.5;                  // of the outcomes of prescriptions; the rest is for squared errors
    double complexity = 0;            // what a split costs, when outcomes have deviation 1
    int depth = 5;                    // at most; 0 is no limit
    std::size_t leaf_rows = 10;       // that a leaf needs
    std::size_t treatment_rows = 10;  // that a treatment needs in a leaf to be prescribed there
    double penalty = 10;              // of linear leaves, in rows: as if so many had said that an input does not matter
    friend bool operator==(const OptimalTreeOptions&, const OptimalTreeOptions&) = default;
};

struct OptimalLeaf {
    int treatment = 0;  // with the least outcome; of equal ones the first
    // By treatment: predicted, on average over the leaf's rows. One that too few got there stands behind the others.
    std::vector<double> outcomes;
    std::vector<std::size_t> rows;  // that got each treatment
    std::vector<LinearModel> arms;  // of linear leaves, by treatment: what is predicted for a row
    friend bool operator==(const OptimalLeaf&, const OptimalLeaf&) = default;
};

// A split sends encoded rows with weights . row + constant > 0 to `high`, others to `low`.
struct OptimalNode {
    Vector weights;
    double constant = 0;
    int low = -1;
    int high = -1;
    OptimalLeaf leaf;

    [[nodiscard]] bool is_leaf() const { return low < 0; }
    friend bool operator==(const OptimalNode& a, const OptimalNode& b) {
        return a.weights.size() == b.weights.size() && a.weights == b.weights && a.constant == b.constant &&
               a.low == b.low && a.high == b.high && a.leaf == b.leaf;
    }
};

struct OptimalTree {
    std::vector<OptimalNode> nodes;  // the root first; a node before its low and then its high side
    int treatments = 0;
    friend bool operator==(const OptimalTree&, const OptimalTree&) = default;
};

// The number of the leaf that an encoded row ends in.
[[nodiscard]] int leaf_of(const OptimalTree& tree, const Eigen::Ref<const Vector>& row);

// Encoded rows x treatments, small is good: the outcomes of the row's leaf. Leaves prescribe one treatment for all of
// their rows, whatever their regressions say of a single one.
[[nodiscard]] Matrix scores(const OptimalTree& tree, const Matrix& encoded, int threads);

}  // namespace polyrx
