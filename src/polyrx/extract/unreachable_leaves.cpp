// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/unreachable_leaves.hpp"

#include <atomic>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/rules/find_row.hpp"

namespace polyrx {
namespace {

// Each takes one or two linear programs; few leaves need more than ten.
constexpr int most_boxes = 200;

// The rows that a split sends to one side, beyond its guard. A tree that is the whole model has no guards.
BoundCondition side_of(const Split& split, bool yes, TreeMode mode) {
    const double sign = yes ? 1 : -1;
    const double guard = mode == TreeMode::whole ? 0 : split.guard;
    BoundCondition side{BoundCondition::Kind::half_space};
    for (Eigen::Index input = 0; input < split.function.weights.size(); ++input)
        if (const double weight = split.function.weights[input]; weight != 0)
            side.half_space.terms.push_back({input, sign * weight});
    side.half_space.constant = sign * split.function.constant - guard;
    side.half_space.strict = yes || guard > 0;
    return side;
}

struct Way {
    int parent = -1;
    bool yes = false;
};

// Whether the leaf's point inside is a row that reaches it.
bool has_row_inside(const Tree& tree, int node) {
    const Leaf& leaf = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(node)].what);
    if (leaf.inside.size() == 0) return false;
    const Vector row = nearest_row(tree.domain, leaf.inside);
    return contains(tree.domain, row) && leaf_of(tree, row) == node;
}

bool is_unreachable(const Tree& tree, const std::vector<Way>& ways, int node) {
    BoundCondition reached{BoundCondition::Kind::all_of, {}, {}};
    for (Way way = ways[static_cast<std::size_t>(node)]; way.parent >= 0;
         way = ways[static_cast<std::size_t>(way.parent)]) {
        const auto& split = std::get<Split>(tree.nodes[static_cast<std::size_t>(way.parent)].what);
        BoundCondition side = side_of(split, way.yes, tree.mode);
        if (!side.half_space.terms.empty())
            reached.operands.push_back(std::move(side));
        else if (!side.half_space.holds(nullptr))
            return true;
    }
    return find_row(tree.domain, reached, {}, most_boxes).answer == FoundRow::Answer::none;
}

}  // namespace

std::vector<char> unreachable_leaves(const Tree& tree, int threads, const Progress& progress) {
    std::vector<Way> ways(tree.nodes.size());
    std::vector<int> leaves;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const int node = static_cast<int>(i);
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what)) {
            ways[static_cast<std::size_t>(split->yes)] = {node, true};
            ways[static_cast<std::size_t>(split->no)] = {node, false};
        } else if (tree.nodes[i].rows == 0) {
            leaves.push_back(node);
        }
    }
    std::vector<char> unreachable(tree.nodes.size());
    std::atomic<std::size_t> done{0};
    parallel_for(leaves.size(), threads, [&](std::size_t i) {
        report(progress, static_cast<double>(done++) / static_cast<double>(leaves.size()), "drawing");
        unreachable[static_cast<std::size_t>(leaves[i])] =
            !has_row_inside(tree, leaves[i]) && is_unreachable(tree, ways, leaves[i]) ? 1 : 0;
    });
    return unreachable;
}

}  // namespace polyrx
