// SPDX-License-Identifier: Apache-2.0
// Measures how much there is to read in a tree.
#pragma once

#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct TreeSize {
    std::size_t leaves = 0;
    std::size_t terms = 0;  // nonzero coefficients over all splits
    friend bool operator==(const TreeSize&, const TreeSize&) = default;
};

[[nodiscard]] TreeSize size_of(const Tree& tree);

}  // namespace polyrx
