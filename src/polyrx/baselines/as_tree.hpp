// SPDX-License-Identifier: Apache-2.0
// A baseline that is a single tree, as our own trees are: for printing and drawing it like them.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct BaselineTree {
    Tree tree;
    // By node, of leaves: the treatments from the best to the worst, as the baseline's scores order them.
    std::vector<std::vector<int>> preferences;
};

// Nothing for methods that are no single tree. Splits on categories are sums of their inputs. Where missing values do
// not go the way of the number that fills them, a split on whether the value is missing comes first, so that a part of
// the tree may stand there twice. On a domain of the encoder's inputs.
[[nodiscard]] std::optional<BaselineTree> as_tree(const Baseline& baseline, const Encoder& encoder, Domain domain);

}  // namespace polyrx
