// SPDX-License-Identifier: Apache-2.0
// Optimal prescriptive trees (OPT, Bertsimas, Dunn & Mundru 2019): optimize the whole tree jointly, for its
// prescriptions and its predictions.
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
    double mu = 0.5;                  // weight of the outcomes under prescriptions; 1 - mu is that of squared errors
    double complexity = 0;            // cost per split, with outcomes of deviation 1
    int depth = 5;                    // maximum; 0 = no limit
    std::size_t leaf_rows = 10;       // minimum per leaf
    std::size_t treatment_rows = 10;  // minimum in a leaf for a treatment to be prescribed there
    double penalty = 10;              // ridge penalty of linear leaves, in rows
    friend bool operator==(const OptimalTreeOptions&, const OptimalTreeOptions&) = default;
};

struct OptimalLeaf {
    int treatment = 0;  // with the lowest outcome; the first among equals
    // Per treatment: mean prediction over the leaf's rows. Treatments with too few rows rank behind the others.
    std::vector<double> outcomes;
    std::vector<std::size_t> rows;  // per treatment: rows that received it
    std::vector<LinearModel> arms;  // for linear leaves, per treatment: the prediction for a row
    friend bool operator==(const OptimalLeaf&, const OptimalLeaf&) = default;
};

// Encoded rows with weights . row + constant > 0 go to `high`, others to `low`.
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

// The index of an encoded row's leaf.
[[nodiscard]] int leaf_of(const OptimalTree& tree, const Eigen::Ref<const Vector>& row);

// Encoded rows x treatments, smaller is better: the outcomes of the row's leaf. A leaf prescribes one treatment for all
// of its rows, whatever its regressions predict for a single row.
[[nodiscard]] Matrix scores(const OptimalTree& tree, const Matrix& encoded, int threads);

}  // namespace polyrx
