// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of forward(): one row, one neuron, one product at a time.
#pragma once

#include "polyrx/network/relu_network.hpp"

namespace polyrx::test {

inline Matrix slow_forward(const ReluNetwork& network, const Matrix& rows) {
    Matrix outcomes(rows.rows(), network.outputs());
    for (Eigen::Index row = 0; row < rows.rows(); ++row) {
        std::vector<double> values(rows.row(row).begin(), rows.row(row).end());
        for (std::size_t i = 0; i < network.layers().size(); ++i) {
            const Layer& layer = network.layers()[i];
            std::vector<double> next;
            for (Eigen::Index neuron = 0; neuron < layer.weights.rows(); ++neuron) {
                double sum = 0;
                for (std::size_t input = 0; input < values.size(); ++input) {
                    const double product = layer.weights(neuron, static_cast<Eigen::Index>(input)) * values[input];
                    sum = sum + product;
                }
                sum = sum + layer.bias[neuron];
                const bool hidden = i + 1 < network.layers().size();
                next.push_back(hidden && !(sum > 0) ? 0.0 : sum);
            }
            values = next;
        }
        for (Eigen::Index k = 0; k < outcomes.cols(); ++k) outcomes(row, k) = values[static_cast<std::size_t>(k)];
    }
    return outcomes;
}

}  // namespace polyrx::test
