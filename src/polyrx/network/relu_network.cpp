// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/relu_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/network/forward_kernel.hpp"

namespace polyrx {

ReluNetwork::ReluNetwork(std::vector<Layer> layers) : layers_(std::move(layers)) {
    if (layers_.empty()) throw data_error("a network needs at least an output layer");
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer& layer = layers_[i];
        if (layer.weights.rows() == 0) throw data_error(fmt::format("layer {} of the network has no neurons", i + 1));
        if (layer.bias.size() != layer.weights.rows())
            throw data_error(fmt::format("layer {} of the network has {} neurons but {} biases", i + 1,
                                         layer.weights.rows(), layer.bias.size()));
        if (i > 0 && layer.weights.cols() != layers_[i - 1].weights.rows())
            throw data_error(fmt::format("layer {} of the network takes {} inputs but the layer before has {} neurons",
                                         i + 1, layer.weights.cols(), layers_[i - 1].weights.rows()));
        if (!layer.weights.allFinite() || !layer.bias.allFinite())
            throw data_error(fmt::format("layer {} of the network has a weight that is not a finite number", i + 1));
    }
}

Matrix forward(const ReluNetwork& network, const Matrix& rows) {
    if (rows.cols() != network.inputs())
        throw usage_error(fmt::format("the network takes {} inputs, not {}", network.inputs(), rows.cols()));
    Eigen::Index widest = network.inputs();
    for (const Layer& layer : network.layers()) widest = std::max(widest, layer.weights.rows());
    AlignedDoubles in(static_cast<std::size_t>(widest) * forward_lanes);
    AlignedDoubles out(in.size());

    constexpr auto lanes = static_cast<Eigen::Index>(forward_lanes);
    std::vector<std::vector<LayerBlock>> blocks;
    for (const Layer& layer : network.layers()) {
        const auto neurons = static_cast<std::size_t>(layer.weights.rows());
        const auto layer_inputs = static_cast<std::size_t>(layer.weights.cols());
        // Finding blocks takes about as long as computing one row.
        blocks.push_back(rows.rows() >= lanes ? blocks_of(layer)
                                              : std::vector{LayerBlock{0, neurons, 0, layer_inputs}});
    }
    Matrix outcomes(rows.rows(), network.outputs());
    for (Eigen::Index first = 0; first < rows.rows(); first += lanes) {
        const Eigen::Index taken = std::min(lanes, rows.rows() - first);
        // Lanes beyond the last row keep old values; their results are unused.
        for (Eigen::Index lane = 0; lane < taken; ++lane)
            for (Eigen::Index input = 0; input < rows.cols(); ++input)
                in[static_cast<std::size_t>(input * lanes + lane)] = rows(first + lane, input);
        for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
            const bool hidden = layer + 1 < blocks.size();
            for (const LayerBlock& block : blocks[layer])
                apply_layer(network.layers()[layer], block, hidden, static_cast<std::size_t>(taken), in.data(),
                            out.data());
            in.swap(out);
        }
        for (Eigen::Index lane = 0; lane < taken; ++lane)
            for (Eigen::Index k = 0; k < outcomes.cols(); ++k)
                outcomes(first + lane, k) = in[static_cast<std::size_t>(k * lanes + lane)];
    }
    return outcomes;
}

double largest_safe_input(const ReluNetwork& network) {
    // For inputs of at most x, no value or partial sum of a layer exceeds slope x + offset.
    double slope = 1;
    double offset = 0;
    double safe = std::numeric_limits<double>::max();
    for (const Layer& layer : network.layers()) {
        const double gain = layer.weights.cwiseAbs().rowwise().sum().maxCoeff();
        slope *= gain;
        offset = offset * gain + layer.bias.cwiseAbs().maxCoeff();
        if (!std::isfinite(offset)) return -1;
        // A margin for rounding of these sums.
        if (slope > 0) safe = std::min(safe, 0.99 * (std::numeric_limits<double>::max() - offset) / slope);
    }
    return safe;
}

int prescription_at(const ReluNetwork& network, const Eigen::Ref<const Vector>& row) {
    return argmin_rows(forward(network, row.transpose())).front();
}

}  // namespace polyrx
