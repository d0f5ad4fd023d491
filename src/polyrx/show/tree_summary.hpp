// SPDX-License-Identifier: Apache-2.0
// What must be said of a tree wherever it is shown: size, what is proved, how well it does without the network.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/policy/policy.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// "Which dose for the lowest pain"
[[nodiscard]] std::string title_of(const Policy& policy);

// What a reader must know first: why the policy is not recommended. Empty if it is, or was not compared with practice.
[[nodiscard]] std::string warning_of(const Policy& policy);

// "12 leaves, depth 5.", "Exact: ...", "Held out: ...", "Guards: ...": one sentence or two each. Then each rule with
// its number, from 1. All is about the whole tree; a sentence says what of it is not drawn.
[[nodiscard]] std::vector<std::string> summary_of(const Policy& policy, const Tree& tree, const LeftOut& left_out = {});

// What decides in a leaf besides predicted outcomes: "rules 1, 3; High not supported". Rules are numbered from 1 as in
// the summary. Empty if nothing does.
[[nodiscard]] std::string reasons_in(const Policy& policy, const Leaf& leaf);

// The words of a split, in pieces between which a line may break. One of support
// ends with what follows from it: "(if so, High is not supported)".
[[nodiscard]] std::vector<std::string> split_pieces(const Policy& policy, const Tree& tree, const Split& split,
                                                    const WordOptions& options);

// The share of the rows inside of the domain that reach a node: "31.2 %", "< 0.1 %", "no rows". Empty without data.
[[nodiscard]] std::string share_of_rows(const Tree& tree, std::size_t rows);

[[nodiscard]] std::size_t certified_leaves(const Tree& tree);

// Whether the leaves differ in this, so that each has to say it.
[[nodiscard]] bool some_empirical(const Tree& tree);

// A treatment's label on one line; of an index without a label, its number; "none" of no treatment.
[[nodiscard]] std::string label_of(const Policy& policy, int treatment);

// Throws a data error unless the tree is well formed and of the policy's inputs.
void check_shows(const Policy& policy, const Tree& tree);

}  // namespace polyrx
