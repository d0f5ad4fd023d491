// SPDX-License-Identifier: Apache-2.0
// Finds the order of splits with the fewest leaves, given the result of every combination of signs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

inline constexpr std::size_t most_ordered_splits = 12;

// The result of one combination of signs: the treatments that occur, and the number of leaves of its own tree. No
// treatments: the combination is impossible.
struct Combination {
    TreatmentSet treatments = 0;
    std::uint32_t leaves = 0;
};

// Dynamic programming over {off, on, ?}^n. A state where only one treatment occurs is a leaf, even with undecided
// signs.
class SplitOrder {
public:
    // combinations[i] has the signs in the bits of i; there are 2^n of them, n <= most_ordered_splits.
    explicit SplitOrder(const std::vector<Combination>& combinations);

    [[nodiscard]] std::size_t leaves() const { return states_.back().leaves; }

    // A state in base 3: digit i is 0 (off), 1 (on) or 2 (undecided).
    using State = std::size_t;
    [[nodiscard]] State whole() const { return states_.size() - 1; }
    [[nodiscard]] TreatmentSet treatments(State state) const { return states_[state].treatments; }
    // The split to make in a state with more than one treatment; -1 if all signs are known.
    [[nodiscard]] int split(State state) const { return states_[state].split; }
    [[nodiscard]] State decided(State state, int split, bool on) const {
        return state - (on ? 1 : 2) * powers_[static_cast<std::size_t>(split)];
    }

private:
    struct Best {
        TreatmentSet treatments = 0;
        std::uint32_t leaves = 0;
        std::int8_t split = -1;
    };
    std::vector<Best> states_;
    std::vector<State> powers_;
};

}  // namespace polyrx
