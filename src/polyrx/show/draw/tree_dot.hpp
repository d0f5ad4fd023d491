// SPDX-License-Identifier: Apache-2.0
// A tree in Graphviz's language, for people who lay out and style it themselves: dot -Tpdf tree.dot -o tree.pdf
#pragma once

#include <functional>
#include <string_view>

#include "polyrx/policy/policy.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// One line per node and edge that is drawn, in the order of the tree's nodes, whose numbers are the names. Calls
// `write` with pieces of the text. Throws a data error if tree and policy do not belong together.
void write_tree_dot(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                    const WordOptions& options = {.max_terms = 4, .scaled = {}}, const LeftOut& left_out = {});

}  // namespace polyrx
