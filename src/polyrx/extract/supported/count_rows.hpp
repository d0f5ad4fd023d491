// SPDX-License-Identifier: Apache-2.0
// Rows of data in the nodes of a tree.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// Sets the tree's rows, those outside of its domain, and those of every node. Guards are ignored: a row in a guard band
// belongs to a leaf too.
void count_rows(Tree& tree, const Matrix& rows);

// Sets the share of the rows that certified leaves answer. The rows are those that were counted.
void share_certified(Tree& tree, const Matrix& rows);

}  // namespace polyrx
