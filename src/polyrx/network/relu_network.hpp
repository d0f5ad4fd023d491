// SPDX-License-Identifier: Apache-2.0
// A fully connected ReLU network as a value, in float64, with the one forward pass that defines a policy.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/argmin_rows.hpp"
#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct Layer {
    Matrix weights;  // one row per neuron
    Vector bias;

    friend bool operator==(const Layer& a, const Layer& b) { return a.weights == b.weights && a.bias == b.bias; }
};

// Hidden layers with ReLU, then a linear output layer with one neuron per treatment.
class ReluNetwork {
public:
    ReluNetwork() = default;
    // Throws a data error unless there is an output layer, the widths fit and every number is finite.
    explicit ReluNetwork(std::vector<Layer> layers);

    [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
    [[nodiscard]] Eigen::Index inputs() const { return layers_.empty() ? 0 : layers_.front().weights.cols(); }
    [[nodiscard]] Eigen::Index outputs() const { return layers_.empty() ? 0 : layers_.back().weights.rows(); }

    friend bool operator==(const ReluNetwork&, const ReluNetwork&) = default;

private:
    std::vector<Layer> layers_;
};

// The outcome of every treatment for every row. Each sum starts at 0, takes its inputs in column order, multiplies
// then adds, and adds the bias last, so the result is the same bits on every machine and in every block of rows.
[[nodiscard]] Matrix forward(const ReluNetwork& network, const Matrix& rows);

// Rows with no input further from 0 than this cannot overflow anywhere in the network. Beyond it a sum inside may
// become infinite, or not a number and then 0 by a ReLU, and outcomes that look like any others would mean nothing. It
// is below 0 where not even inputs of 0 are safe.
[[nodiscard]] double largest_safe_input(const ReluNetwork& network);

// The treatment with the smallest outcome for one row; ties go to the lowest index.
[[nodiscard]] int prescription_at(const ReluNetwork& network, const Eigen::Ref<const Vector>& row);

}  // namespace polyrx
