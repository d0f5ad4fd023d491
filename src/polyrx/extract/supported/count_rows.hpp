// SPDX-License-Identifier: Apache-2.0
// Counts rows of data in the nodes of a tree.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// Sets the number of rows of the tree, outside its domain, and in every node. Ignores guards: a row in a guard band
// belongs to a leaf too.
void count_rows(Tree& tree, const Matrix& rows);

// Sets the share of rows that certified leaves answer. The rows must be those that were counted.
void share_certified(Tree& tree, const Matrix& rows);

}  // namespace polyrx
