// SPDX-License-Identifier: Apache-2.0
// The facts shown with every tree: its size, what is proved, and its fidelity without the network.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/policy/policy.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// For example "Which dose for the lowest pain".
[[nodiscard]] std::string title_of(const Policy& policy);

// The warning above a tree: why the policy is not recommended. Empty if it is, or was not compared with practice.
[[nodiscard]] std::string warning_of(const Policy& policy);

// One or two sentences each: "12 leaves, depth 5.", "Exact: ...", "Held out: ...", "Guards: ...". Then the rules,
// numbered from 1. All sentences describe the whole tree; one states how many leaves are not drawn.
[[nodiscard]] std::vector<std::string> summary_of(const Policy& policy, const Tree& tree, const LeftOut& left_out = {});

// What decides in a leaf besides predicted outcomes: "rules 1, 3; High not supported". Rules are numbered from 1, as in
// the summary. May be empty.
[[nodiscard]] std::string reasons_in(const Policy& policy, const Leaf& leaf);

// A split in words, in pieces between which a line may break. A split of support ends with what it implies: "(if so,
// High is not supported)".
[[nodiscard]] std::vector<std::string> split_pieces(const Policy& policy, const Tree& tree, const Split& split,
                                                    const WordOptions& options);

// The share of the domain's rows that reach a node: "31.2 %", "< 0.1 %", "no rows". Empty without data.
[[nodiscard]] std::string share_of_rows(const Tree& tree, std::size_t rows);

[[nodiscard]] std::size_t certified_leaves(const Tree& tree);

// Whether some leaves are empirical, so that each leaf must show what it is.
[[nodiscard]] bool some_empirical(const Tree& tree);

// A treatment's label on one line; its number if it has no label; "none" for no treatment.
[[nodiscard]] std::string label_of(const Policy& policy, int treatment);

// Throws a data error unless the tree is well formed and has the policy's inputs.
void check_shows(const Policy& policy, const Tree& tree);

}  // namespace polyrx
