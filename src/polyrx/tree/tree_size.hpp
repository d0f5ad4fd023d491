// SPDX-License-Identifier: Apache-2.0
// How much a person has to read to know what a tree does.
#pragma once

#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct TreeSize {
    std::size_t leaves = 0;
    std::size_t terms = 0;  // coefficients other than 0, over all splits
    friend bool operator==(const TreeSize&, const TreeSize&) = default;
};

[[nodiscard]] TreeSize size_of(const Tree& tree);

}  // namespace polyrx
