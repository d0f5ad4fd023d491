// SPDX-License-Identifier: Apache-2.0
// A fully connected ReLU network in float64, and the one forward pass that defines a policy.
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
    // Throws a data error unless there is an output layer, layer sizes match and all numbers are finite.
    explicit ReluNetwork(std::vector<Layer> layers);

    [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
    [[nodiscard]] Eigen::Index inputs() const { return layers_.empty() ? 0 : layers_.front().weights.cols(); }
    [[nodiscard]] Eigen::Index outputs() const { return layers_.empty() ? 0 : layers_.back().weights.rows(); }

    friend bool operator==(const ReluNetwork&, const ReluNetwork&) = default;

private:
    std::vector<Layer> layers_;
};

// The outcomes of all treatments for each row. Sums start at 0, follow column order, multiply then add, and add the
// bias last. The bits are therefore the same on every machine and for every block of rows.
[[nodiscard]] Matrix forward(const ReluNetwork& network, const Matrix& rows);

// Rows whose inputs are at most this in absolute value cannot overflow. Beyond it, a sum may become infinite or NaN
// (which ReLU turns into 0), and outcomes would be meaningless. Negative if even inputs of 0 can overflow.
[[nodiscard]] double largest_safe_input(const ReluNetwork& network);

// The treatment with the smallest outcome for one row; ties go to the lowest index.
[[nodiscard]] int prescription_at(const ReluNetwork& network, const Eigen::Ref<const Vector>& row);

}  // namespace polyrx
