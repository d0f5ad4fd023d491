// SPDX-License-Identifier: Apache-2.0
// Forward and backward passes of a network in training, with their buffers.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/train/objective.hpp"
#include "polyrx/train/parameters.hpp"

namespace polyrx {

class Backprop {
public:
    explicit Backprop(ParameterLayout layout) : layout_(std::move(layout)), activations_(layout_.layers() + 1) {}

    [[nodiscard]] const ParameterLayout& layout() const { return layout_; }

    // The outputs for `inputs`, valid until the next call.
    const MatrixF& forward(std::vector<float>& parameters, const MatrixF& inputs);

    // The loss of a batch, and in `gradient` the derivative of its mean in every parameter.
    BatchLoss gradient(std::vector<float>& parameters, const MatrixF& inputs, const Lessons& lessons, double mu,
                       std::vector<float>& gradient);

private:
    ParameterLayout layout_;
    std::vector<MatrixF> activations_;  // inputs, then each layer's values after its ReLU; the last are the outputs
    MatrixF weights_transposed_;        // of one layer, one row per neuron, for the way back
    MatrixF upstream_;
    MatrixF downstream_;
    MatrixF activations_transposed_;
    MatrixF weight_gradient_;
};

}  // namespace polyrx
