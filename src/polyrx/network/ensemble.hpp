// SPDX-License-Identifier: Apache-2.0
// Combines several ReLU networks into one whose outputs are their means, so trees and proofs apply to ensembles too.
//
// The hidden layers are side by side (block-diagonal weights), and the output layer takes the mean. Copying neurons
// extend members that are shallower than the deepest. A hidden value is never negative, so ReLU preserves it, and the
// copy is active exactly where its original is. Outputs of a member without hidden layers have either sign; each is
// carried by two neurons, f = relu(f) - relu(-f).
#pragma once

#include <span>

#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// A single member is returned unchanged, bit for bit. If no member has hidden layers, the result has none. Throws a
// usage error if there are no members, or if their numbers of inputs or outputs differ.
[[nodiscard]] ReluNetwork ensemble(std::span<const ReluNetwork> members);

}  // namespace polyrx
