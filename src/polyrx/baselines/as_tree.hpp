// SPDX-License-Identifier: Apache-2.0
// Converts a baseline that is a single tree to an oblique tree, so that it is printed and drawn in the same way.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct BaselineTree {
    Tree tree;
    // Per node, only for leaves: treatments from best to worst by the baseline's scores.
    std::vector<std::vector<int>> preferences;
};

// Returns nothing for methods that are not a single tree. The tree's domain is the encoder's inputs.
// A split on categories becomes a sum of their inputs. If missing values do not follow the value that fills them, a
// split on the missing indicator comes first, and a part of the tree may then occur twice.
[[nodiscard]] std::optional<BaselineTree> as_tree(const Baseline& baseline, const Encoder& encoder, Domain domain);

}  // namespace polyrx
