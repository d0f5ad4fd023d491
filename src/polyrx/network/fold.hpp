// SPDX-License-Identifier: Apache-2.0
// Folds scalings of inputs and outputs into the weights of a network.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// z = (x - shift) / scale, per column.
struct Scaling {
    Vector shift;
    Vector scale;
};

// Returns a network whose output at x is that of `network` at (x - shift) / scale.
[[nodiscard]] ReluNetwork fold_input_scaling(const ReluNetwork& network, const Scaling& scaling);

// Returns a network that ignores the input and treats it as `value`.
[[nodiscard]] ReluNetwork fix_input(const ReluNetwork& network, Eigen::Index input, double value);

// Appends `count` inputs that the network ignores.
[[nodiscard]] ReluNetwork add_ignored_inputs(const ReluNetwork& network, Eigen::Index count);
// The number of inputs before the ignored ones at the end; at least one.
[[nodiscard]] Eigen::Index inputs_not_ignored(const ReluNetwork& network);
// Removes the ignored inputs at the end. The outputs do not change.
[[nodiscard]] ReluNetwork drop_ignored_inputs(const ReluNetwork& network);

// Returns a network with outputs shift + scale * output.
[[nodiscard]] ReluNetwork fold_output_scaling(const ReluNetwork& network, double shift, double scale);

}  // namespace polyrx
