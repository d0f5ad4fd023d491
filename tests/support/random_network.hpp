// SPDX-License-Identifier: Apache-2.0
// Networks and matrices of random numbers, for tests that must hold whatever the numbers are.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx::test {

inline Matrix random_matrix(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
    Matrix matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = rng.normal();
    return matrix;
}

inline MatrixF random_matrix_f(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
    return random_matrix(rng, rows, columns).cast<float>();
}

// Widths of input, hidden layers and output.
inline ReluNetwork random_network(Rng& rng, const std::vector<Eigen::Index>& widths) {
    std::vector<Layer> layers;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
        layers.push_back({random_matrix(rng, widths[i + 1], widths[i]), random_matrix(rng, widths[i + 1], 1).col(0)});
    return ReluNetwork(std::move(layers));
}

inline std::vector<Eigen::Index> random_widths(Rng& rng, std::size_t hidden_layers, Eigen::Index widest,
                                               Eigen::Index outputs) {
    std::vector<Eigen::Index> widths;
    for (std::size_t i = 0; i <= hidden_layers; ++i)
        widths.push_back(1 + static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(widest))));
    widths.push_back(outputs);
    return widths;
}

}  // namespace polyrx::test
