// SPDX-License-Identifier: Apache-2.0
// The values of all neurons in a precision in which rounding does not matter to double: 113 bits.
#pragma once

#include <vector>

#include "polyrx/network/relu_network.hpp"

namespace polyrx::test {

__extension__ using Wide = __float128;

// By layer, before the ReLU; the last are the outcomes.
inline std::vector<std::vector<Wide>> wide_forward(const ReluNetwork& network, const Vector& row) {
    std::vector<Wide> values(row.begin(), row.end());
    std::vector<std::vector<Wide>> sums;
    for (const Layer& layer : network.layers()) {
        sums.emplace_back();
        for (Eigen::Index i = 0; i < layer.weights.rows(); ++i) {
            Wide sum = layer.bias[i];
            for (std::size_t j = 0; j < values.size(); ++j)
                sum += Wide(layer.weights(i, static_cast<Eigen::Index>(j))) * values[j];
            sums.back().push_back(sum);
        }
        values = sums.back();
        for (Wide& value : values)
            if (value < 0) value = 0;
    }
    return sums;
}

}  // namespace polyrx::test
