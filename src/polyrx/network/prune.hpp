// SPDX-License-Identifier: Apache-2.0
// Removes neurons that are always on or always off, and folds their effect into the next layer (Section 5.3 of the
// paper).
//
// A neuron that is always off is 0 and is removed. A neuron that is always on is affine. A layer reads only the layer
// before it, so its value must still be carried across its layer if that layer has other neurons:
//   - If all neurons of a layer are always on, the layer is removed: V (W h + b) + c = (V W) h + (V b + c).
//   - Otherwise, the always-on neurons jointly contribute M h + d to the next layer. Fewer neurons can carry it if M
//     has fewer nonzero rows (one neuron per row) or columns (one per value read). A shift keeps each carrier above 0
//     on the domain, and the next layer's bias subtracts it.
// Neurons that nothing reads are removed. Neurons that read nothing are constants and join the next layer's bias.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

enum class NeuronState {
    varies,  // or unknown
    off,     // its pre-activation is never above 0
    on       // its pre-activation is never below 0
};

// By hidden layer and neuron.
using NeuronStates = std::vector<std::vector<NeuronState>>;

// Returns a network that computes the same function on all rows of the domain for which the states are true. Elsewhere,
// and outside the domain, it may differ.
//
// The functions are equal in real numbers. Sums use another order, so outcomes differ by at most the rounding errors of
// both networks on the domain. The result has the same bytes on every machine. If all hidden neurons are removed, it is
// an output layer alone. Domain bounds must be finite, except for inputs without weights.
[[nodiscard]] ReluNetwork prune(const ReluNetwork& network, const NeuronStates& states, const Domain& domain);

}  // namespace polyrx
