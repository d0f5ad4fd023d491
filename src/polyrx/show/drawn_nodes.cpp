// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/drawn_nodes.hpp"

#include <fmt/format.h>

#include "polyrx/core/text/text_table.hpp"

namespace polyrx {
namespace {

constexpr int nothing = -1;

// Per node: the node that is drawn in its place.
std::vector<int> stand_ins(const Tree& tree, const std::vector<char>& left_out) {
    std::vector<int> stand_in(tree.nodes.size());
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children come after their parent
        const auto* split = std::get_if<Split>(&tree.nodes[i].what);
        if (!split) {
            stand_in[i] = left_out.empty() || left_out[i] == 0 ? static_cast<int>(i) : nothing;
            continue;
        }
        const int yes = stand_in[static_cast<std::size_t>(split->yes)];
        const int no = stand_in[static_cast<std::size_t>(split->no)];
        stand_in[i] = yes == nothing ? no : no == nothing ? yes : static_cast<int>(i);
    }
    return stand_in;
}

}  // namespace

LeftOut leaves_to_leave_out(const Tree& tree, const std::vector<char>& unreachable) {
    const bool counted = tree.rows > 0 && tree.nodes.front().rows > 0;
    LeftOut left_out{.leaves = std::vector<char>(tree.nodes.size())};
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (!std::holds_alternative<Leaf>(tree.nodes[i].what)) continue;
        const bool has_no_rows = counted && tree.nodes[i].rows == 0;
        left_out.leaves[i] = unreachable[i] != 0 || has_no_rows ? 1 : 0;
        if (unreachable[i] != 0)
            ++left_out.unreachable;
        else
            ++(has_no_rows ? left_out.without_rows : drawn);
    }
    return drawn > 0 ? left_out : LeftOut{};
}

std::vector<DrawnNode> drawn_nodes(const Tree& tree, const LeftOut& left_out) {
    const std::vector<int> stand_in = stand_ins(tree, left_out.leaves);
    std::vector<std::size_t> number(tree.nodes.size());
    std::vector<DrawnNode> drawn;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (stand_in[i] != static_cast<int>(i)) continue;
        number[i] = drawn.size();
        drawn.push_back({i});
    }
    const auto number_of = [&](int child) {
        return number[static_cast<std::size_t>(stand_in[static_cast<std::size_t>(child)])];
    };
    for (DrawnNode& each : drawn)
        if (const auto* split = std::get_if<Split>(&tree.nodes[each.node].what)) {
            each.yes = number_of(split->yes);
            each.no = number_of(split->no);
        }
    return drawn;
}

std::string left_out_words(const LeftOut& left_out) {
    const std::size_t all = left_out.unreachable + left_out.without_rows;
    if (all == 0) return "";
    std::string why;
    if (left_out.without_rows == 0)
        why = fmt::format("no row can reach {}", all == 1 ? "it" : "them");
    else if (left_out.unreachable == 0)
        why = fmt::format("none of the rows shown reached {}", all == 1 ? "it" : "them");
    else
        why = fmt::format("no row can reach {} of them, and none of the rows shown reached the other{}",
                          grouped(left_out.unreachable),
                          left_out.without_rows == 1 ? "" : fmt::format(" {}", grouped(left_out.without_rows)));
    return fmt::format("Not drawn: {} of these leaves; {} (--all-leaves draws {}).", grouped(all), why,
                       all == 1 ? "it" : "them");
}

}  // namespace polyrx
