// SPDX-License-Identifier: Apache-2.0
// Makes one ReLU network of several: its outputs are the means of theirs, so what holds for networks holds for it.
//
// The members' hidden layers lie side by side (block-diagonal weights), and the output layer takes the mean. A member
// that is shallower than the deepest is passed on by neurons that copy: a hidden value is never negative, so a ReLU
// leaves it as it is, and the copy is on where its original is. A member without hidden layers has outputs of either
// sign; f = relu(f) - relu(-f) carries each of them by a pair of neurons.
#pragma once

#include <span>

#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// One member is returned as it is, bit for bit; members without hidden layers alone give one without. Throws a usage
// error for no members, and for members whose inputs or outputs differ in number.
[[nodiscard]] ReluNetwork ensemble(std::span<const ReluNetwork> members);

}  // namespace polyrx
