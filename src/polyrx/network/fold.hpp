// SPDX-License-Identifier: Apache-2.0
// Moves scalings of inputs and outputs into a network's own weights.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// z = (x - shift) / scale, per column.
struct Scaling {
    Vector shift;
    Vector scale;
};

// A network on x that equals `network` on (x - shift) / scale.
[[nodiscard]] ReluNetwork fold_input_scaling(const ReluNetwork& network, const Scaling& scaling);

// A network that ignores an input and answers as `network` does where that input is `value`.
[[nodiscard]] ReluNetwork fix_input(const ReluNetwork& network, Eigen::Index input, double value);

// A network with `count` inputs more, at the end, that it ignores.
[[nodiscard]] ReluNetwork add_ignored_inputs(const ReluNetwork& network, Eigen::Index count);
// How many inputs there are before those at the end that it ignores; at least one.
[[nodiscard]] Eigen::Index inputs_not_ignored(const ReluNetwork& network);
// The network without them: the same outputs.
[[nodiscard]] ReluNetwork drop_ignored_inputs(const ReluNetwork& network);

// A network whose every output is shift + scale * that of `network`.
[[nodiscard]] ReluNetwork fold_output_scaling(const ReluNetwork& network, double shift, double scale);

}  // namespace polyrx
