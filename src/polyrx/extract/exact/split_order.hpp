// SPDX-License-Identifier: Apache-2.0
// The order of splits with the fewest leaves, given what every combination of signs leads to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

inline constexpr std::size_t most_ordered_splits = 12;

// What one combination of signs leads to: which treatments occur there, and how many leaves its own tree has. No
// treatments: the combination is impossible.
struct Combination {
    TreatmentSet treatments = 0;
    std::uint32_t leaves = 0;
};

// Dynamic programming over {off, on, ?}^n. A part in which one treatment occurs is a leaf whatever is undecided in it.
class SplitOrder {
public:
    // combinations[i] is that of the signs in the bits of i; 2^n of them, n <= most_ordered_splits.
    explicit SplitOrder(const std::vector<Combination>& combinations);

    [[nodiscard]] std::size_t leaves() const { return states_.back().leaves; }

    // A part of the whole: its state in base 3, digit i being 0 (off), 1 (on) or 2 (undecided).
    using State = std::size_t;
    [[nodiscard]] State whole() const { return states_.size() - 1; }
    [[nodiscard]] TreatmentSet treatments(State state) const { return states_[state].treatments; }
    // The split to make there, if more than one treatment occurs; -1 when all signs are known.
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
