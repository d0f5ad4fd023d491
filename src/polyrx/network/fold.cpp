// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/fold.hpp"

namespace polyrx {

ReluNetwork fold_input_scaling(const ReluNetwork& network, const Scaling& scaling) {
    // W (x - m)/s + b = (W/s) x + (b - (W/s) m)
    std::vector<Layer> layers = network.layers();
    Layer& first = layers.front();
    first.weights = first.weights.array().rowwise() / scaling.scale.transpose().array();
    // Column by column, because the order of summation of an Eigen product depends on the machine.
    for (Eigen::Index input = 0; input < first.weights.cols(); ++input)
        first.bias -= first.weights.col(input) * scaling.shift[input];
    return ReluNetwork(std::move(layers));
}

ReluNetwork fix_input(const ReluNetwork& network, Eigen::Index input, double value) {
    std::vector<Layer> layers = network.layers();
    layers.front().bias += layers.front().weights.col(input) * value;
    layers.front().weights.col(input).setZero();
    return ReluNetwork(std::move(layers));
}

ReluNetwork add_ignored_inputs(const ReluNetwork& network, Eigen::Index count) {
    std::vector<Layer> layers = network.layers();
    Matrix& weights = layers.front().weights;
    weights.conservativeResize(Eigen::NoChange, weights.cols() + count);
    weights.rightCols(count).setZero();
    return ReluNetwork(std::move(layers));
}

Eigen::Index inputs_not_ignored(const ReluNetwork& network) {
    const Matrix& weights = network.layers().front().weights;
    Eigen::Index inputs = weights.cols();
    while (inputs > 1 && (weights.col(inputs - 1).array() == 0).all()) --inputs;
    return inputs;
}

ReluNetwork drop_ignored_inputs(const ReluNetwork& network) {
    std::vector<Layer> layers = network.layers();
    layers.front().weights.conservativeResize(Eigen::NoChange, inputs_not_ignored(network));
    return ReluNetwork(std::move(layers));
}

ReluNetwork fold_output_scaling(const ReluNetwork& network, double shift, double scale) {
    std::vector<Layer> layers = network.layers();
    layers.back().weights *= scale;
    layers.back().bias = (layers.back().bias * scale).array() + shift;
    return ReluNetwork(std::move(layers));
}

}  // namespace polyrx
