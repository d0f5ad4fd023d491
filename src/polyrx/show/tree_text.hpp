// SPDX-License-Identifier: Apache-2.0
// A tree as indented text for a terminal, a mail or a log.
//
//     age >= 64 years
//     ├─ yes: weight - 1.333 egfr + 16.7 smoker > 12.41
//     │  ├─ yes → 20 mg (31.2 %)
//     │  └─ no → 10 mg (12.0 %)
//     └─ no → 5 mg (56.8 %)
//
// Lines keep to the width: long splits continue under their beginning, and a subtree that would be indented too far is
// told after the rest, under the number that stands in its place.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "polyrx/policy/policy.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct TextOptions {
    WordOptions words;
    std::size_t width = 100;  // columns; at least 40
    LeftOut left_out = {};
};

// Calls `write` with pieces of the text, in UTF-8. Throws a data error if tree and policy do not belong together.
void write_tree_text(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                     const TextOptions& options = {});

}  // namespace polyrx
