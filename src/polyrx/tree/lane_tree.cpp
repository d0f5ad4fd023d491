// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/lane_tree.hpp"

#include <algorithm>
#include <bit>

namespace polyrx {

LaneTree::LaneTree(const Tree& tree)
    : domain_(tree.domain), kernel_lower_(kernel_lower(tree.domain)), groups_(flat_groups(tree.domain)) {
    std::vector<const Split*> first;  // the first split with each function
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto node = static_cast<std::uint32_t>(i);
        const auto* split = std::get_if<Split>(&tree.nodes[i].what);
        if (!split) {
            leaves_.push_back(node);
            continue;
        }
        const auto same = std::find_if(first.begin(), first.end(), [&](const Split* other) {
            return other->function == split->function && other->guard == split->guard;
        });
        splits_.push_back({node, static_cast<std::uint32_t>(same - first.begin()),
                           static_cast<std::uint32_t>(split->yes), static_cast<std::uint32_t>(split->no)});
        if (same == first.end()) first.push_back(split);
    }
    for (Eigen::Index input = 0; input < domain_.inputs(); ++input)
        if (std::any_of(first.begin(), first.end(), [&](const Split* s) { return s->function.weights[input] != 0; }))
            inputs_.push_back(static_cast<std::uint32_t>(input));
    for (const Split* split : first) {
        functions_.push_back({split->function.constant, split->guard});
        for (const std::uint32_t input : inputs_) weights_.push_back(split->function.weights[input]);
    }
}

void LaneTree::arrive(const Matrix& rows, std::span<int> ends) const {
    const auto inputs = static_cast<std::size_t>(rows.cols());
    AlignedDoubles lanes(inputs * lane_rows);
    std::vector<LaneSet> rows_of(splits_.size() + leaves_.size());
    std::vector<LaneSides> sides(functions_.size());
    const LaneDomain domain{
        {kernel_lower_.data(), inputs}, {domain_.upper.data(), inputs}, domain_.integer, groups_.members, groups_.ends};
    const LaneSplits splits{splits_, leaves_, functions_, weights_, inputs_};
    const auto total = static_cast<std::size_t>(rows.rows());
    for (std::size_t first = 0; first < total; first += lane_rows) {
        const std::size_t count = std::min(lane_rows, total - first);
        to_lanes(rows.data() + first * inputs, count, inputs, lanes.data());
        // Lanes beyond the last row keep old values; their results are unused.
        const LaneSet all = ~LaneSet{0} >> (lane_rows - count);
        LaneSet inside = rows_inside(domain, lanes.data()) & all;
        for (LaneSet refused = all & ~inside; refused != 0; refused &= refused - 1) {
            // The kernel may reject valid huge whole numbers.
            const int row = std::countr_zero(refused);
            if (contains(domain_, rows.row(static_cast<Eigen::Index>(first) + row).transpose()))
                inside |= LaneSet{1} << row;
        }
        std::int32_t found[lane_rows];
        std::fill(std::begin(found), std::end(found), nowhere);
        descend_lanes(splits, lanes.data(), inside, {rows_of, sides}, found);
        std::copy_n(found, count, ends.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

}  // namespace polyrx
