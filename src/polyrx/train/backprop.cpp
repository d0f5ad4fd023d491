// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/backprop.hpp"

#include "polyrx/train/multiply.hpp"

namespace polyrx {
namespace {

// Zeroes the gradient of the neurons that are off. A neuron is active when its input is > 0, which is when its value
// is. A plain loop, which compiles to masks: Eigen's select jumps for every value.
void pass_active(const MatrixF& values, MatrixF& gradient) {
    const float* value = values.data();
    float* slope = gradient.data();
    for (Eigen::Index i = 0; i < gradient.size(); ++i) {
        const float passed = slope[i];
        slope[i] = value[i] > 0.0F ? passed : 0.0F;
    }
}

}  // namespace

const MatrixF& Backprop::forward(std::vector<float>& parameters, const MatrixF& inputs) {
    activations_.front() = inputs;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        MatrixF& values = activations_[layer + 1];
        values.resize(inputs.rows(), layout_.neurons(layer));
        multiply(activations_[layer], layout_.weights(parameters, layer), values);
        values.rowwise() += layout_.biases(parameters, layer);
        if (layer + 1 < layout_.layers()) values = values.cwiseMax(0.0F);
    }
    return activations_.back();
}

BatchLoss Backprop::gradient(std::vector<float>& parameters, const MatrixF& inputs, const Lessons& lessons, double mu,
                             std::vector<float>& gradient) {
    const MatrixF& outputs = forward(parameters, inputs);
    const BatchLoss loss = batch_loss_and_gradient(outputs, lessons, mu, upstream_);
    for (std::size_t layer = layout_.layers(); layer-- > 0;) {
        activations_transposed_ = activations_[layer].transpose();
        weight_gradient_.resize(layout_.inputs(layer), layout_.neurons(layer));
        multiply(activations_transposed_, upstream_, weight_gradient_);
        layout_.weights(gradient, layer) = weight_gradient_;
        // Row after row, not colwise().sum(), whose order of summation is Eigen's to choose.
        auto bias_gradient = layout_.biases(gradient, layer);
        bias_gradient.setZero();
        for (Eigen::Index row = 0; row < upstream_.rows(); ++row) bias_gradient += upstream_.row(row);
        if (layer == 0) break;
        weights_transposed_ = layout_.weights(parameters, layer).transpose();
        downstream_.resize(upstream_.rows(), layout_.inputs(layer));
        multiply(upstream_, weights_transposed_, downstream_);
        pass_active(activations_[layer], downstream_);
        upstream_.swap(downstream_);
    }
    return loss;
}

}  // namespace polyrx
