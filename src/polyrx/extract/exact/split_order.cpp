// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/split_order.hpp"

#include <bit>

namespace polyrx {

SplitOrder::SplitOrder(const std::vector<Combination>& combinations) {
    const auto splits = static_cast<std::size_t>(std::bit_width(combinations.size()) - 1);
    State count = 1;
    for (std::size_t i = 0; i < splits; ++i) {
        powers_.push_back(count);
        count *= 3;
    }
    states_.resize(count);
    std::vector<char> digits(splits, 0);
    for (State state = 0; state < count; ++state) {
        // Deciding a split gives a smaller state, whose result is already known.
        Best& best = states_[state];
        bool complete = true;
        std::size_t signs = 0;
        for (std::size_t i = 0; i < splits; ++i) {
            if (digits[i] == 1) signs |= std::size_t{1} << i;
            if (digits[i] != 2) continue;
            const int split = static_cast<int>(i);
            const Best& off = states_[decided(state, split, false)];
            const Best& on = states_[decided(state, split, true)];
            if (complete) {
                complete = false;
                best.treatments = off.treatments | on.treatments;
                best.leaves = off.leaves + on.leaves;
                best.split = static_cast<std::int8_t>(split);
            } else if (off.leaves + on.leaves < best.leaves) {
                best.leaves = off.leaves + on.leaves;
                best.split = static_cast<std::int8_t>(split);
            }
        }
        if (complete)
            best = {combinations[signs].treatments, combinations[signs].leaves, -1};
        else if (std::has_single_bit(best.treatments))
            best.leaves = 1;
        // The next number in base 3.
        for (std::size_t i = 0; i < splits && ++digits[i] == 3; ++i) digits[i] = 0;
    }
}

}  // namespace polyrx
