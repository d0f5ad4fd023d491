// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/split_chain.hpp"

#include <numeric>
#include <utility>

namespace polyrx {
namespace {

// The positions at which the slot changes, and with it the value to cut at.
void find_ends(SplitChain& chain, const SlottedFeature& feature, std::size_t leaf_rows, std::size_t step) {
    const std::size_t rows = chain.order.size();
    // If only missing values are on the left, the other chain has the same split with the sides swapped.
    const std::size_t first = chain.missing_left ? feature.missing + 1 : 1;
    std::size_t last = 0;
    for (std::size_t i = first; i < rows; ++i) {
        if (feature.slot[chain.order[i - 1]] == feature.slot[chain.order[i]] || i - last < step ||
            !leaves_enough(i, rows, leaf_rows))
            continue;
        chain.ends.push_back(i);
        last = i;
    }
}

std::vector<std::uint32_t> slots_by_effect(const PolicyRows& rows, const SlottedFeature& feature) {
    const std::vector<PolicyCost> totals = total_costs(rows);
    const auto best = static_cast<std::size_t>(std::ranges::min_element(totals) - totals.begin());
    std::vector<double> effect(feature.slots);
    std::vector<double> count(feature.slots);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const std::uint32_t slot = feature.slot[i];
        for (const std::vector<PolicyCost>& costs : rows.costs)
            effect[slot] += static_cast<double>(rows.costs[best][i] - costs[i]);
        ++count[slot];
    }
    std::vector<std::uint32_t> slots(feature.slots);
    std::iota(slots.begin(), slots.end(), std::uint32_t{0});
    std::ranges::sort(slots, {}, [&](std::uint32_t slot) { return std::pair(effect[slot] / count[slot], slot); });
    return slots;
}

}  // namespace

SplitChain number_chain(const PolicyRows& rows, std::size_t f, bool missing_left, std::size_t leaf_rows,
                        std::size_t step) {
    const SlottedFeature& feature = rows.features[f];
    SplitChain chain{f, missing_left, feature.order, {}};
    if (missing_left)
        std::ranges::rotate(chain.order, chain.order.end() - static_cast<std::ptrdiff_t>(feature.missing));
    find_ends(chain, feature, leaf_rows, step);
    return chain;
}

SplitChain category_chain(const PolicyRows& rows, std::size_t f, std::size_t leaf_rows) {
    const SlottedFeature& feature = rows.features[f];
    SplitChain chain{f, false, std::vector<std::uint32_t>(rows.rows()), {}};
    std::vector<std::uint32_t> place(feature.slots);
    const std::vector<std::uint32_t> slots = slots_by_effect(rows, feature);
    for (std::uint32_t i = 0; i < feature.slots; ++i) place[slots[i]] = i;
    std::iota(chain.order.begin(), chain.order.end(), std::uint32_t{0});
    std::ranges::stable_sort(chain.order, {}, [&](std::uint32_t row) { return place[feature.slot[row]]; });
    find_ends(chain, feature, leaf_rows, 1);
    return chain;
}

std::vector<char> left_slots_of(const SplitChain& chain, const SlottedFeature& feature, std::size_t end) {
    std::vector<char> left(feature.slots);
    for (std::size_t i = 0; i < end; ++i)
        if (const std::uint32_t slot = feature.slot[chain.order[i]]; slot < feature.slots) left[slot] = 1;
    return left;
}

}  // namespace polyrx
