// SPDX-License-Identifier: Apache-2.0
// Which weights of a network in training are pruned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyrx {

struct SparsityMask {
    std::vector<std::uint32_t> kept;    // by parameter: all bits set if kept, 0 if pruned
    std::vector<std::size_t> features;  // the inputs that are not removed for good, in order
    int rounds = 0;                     // number of pruning rounds so far
    friend bool operator==(const SparsityMask&, const SparsityMask&) = default;
};

}  // namespace polyrx
