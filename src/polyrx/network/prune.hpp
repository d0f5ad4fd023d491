// SPDX-License-Identifier: Apache-2.0
// Removes neurons that are always on or always off, and folds what they did into the next layer (Section 5.3 of the
// paper).
//
// A neuron that is always off is 0 and goes. One that is always on is affine; since a layer reads only the layer before
// it, what it says must still be carried across its layer wherever that layer has other neurons:
//   - a layer of which all neurons are always on goes as a whole: V (W h + b) + c = (V W) h + (V b + c);
//   - always-on neurons among others have the joint contribution M h + d to the next layer. Fewer neurons carry it, if
//     M has fewer nonzero rows (one neuron for each row) or columns (one for each value that is read) than there are of
//     them. A carrier gets a shift that keeps it above 0 on the domain, and the next layer's bias takes it back.
// Besides, neurons that nobody reads go, and those that read nothing: their constant joins the next layer's bias.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

enum class NeuronState {
    varies,  // or it is not known
    off,     // its value before the ReLU is never above 0
    on       // never below 0
};

// By hidden layer and neuron.
using NeuronStates = std::vector<std::vector<NeuronState>>;

// A network that computes the same function on all rows of the domain for which the states are true. Elsewhere, outside
// of the domain too, it may answer differently.
//
// The same in real numbers: sums are taken in another order, so the last bits of the outcomes differ, by no more than
// the rounding errors of both networks on the domain. A pruned network is a new one, with bytes of its own, and they
// are the same on every machine. Pruned to nothing, it is affine: an output layer alone. Domain bounds must be finite,
// except of inputs without weights.
[[nodiscard]] ReluNetwork prune(const ReluNetwork& network, const NeuronStates& states, const Domain& domain);

}  // namespace polyrx
