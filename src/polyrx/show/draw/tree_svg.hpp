// SPDX-License-Identifier: Apache-2.0
// A tree as a picture: splits in words, leaves in the color of their treatment, nothing to install to look at it.
//
// A link is as wide as the share of rows that take it. A leaf that is not certified has a dashed border. Texts that do
// not fit are shortened; the tooltip of a box has them in full, with all terms of a split and where it comes from.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "polyrx/policy/policy.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct SvgOptions {
    WordOptions words{.max_terms = 4, .scaled = {}};
    std::string title;  // title_of() if empty
    LeftOut left_out = {};
};

// Calls `write` with pieces of the picture. Throws a data error if tree and policy do not belong together.
void write_tree_svg(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                    const SvgOptions& options = {});

}  // namespace polyrx
