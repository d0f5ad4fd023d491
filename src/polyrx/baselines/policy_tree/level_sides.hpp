// SPDX-License-Identifier: Apache-2.0
// Assigns categories to two treatments at the lowest cost. Each category goes to the cheaper one independently; a
// search is needed only if both sides must keep some rows.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// The cost of a category's rows under either treatment.
struct LevelCosts {
    PolicyCost left = 0;
    PolicyCost right = 0;
    std::size_t rows = 0;
};

// Returns the lowest cost with at least `leaf_rows` rows on each side if it is below `bound`, otherwise `bound`. In the
// first case, `sides` (if given) receives the assignment (1 = left).
class LevelSides {
public:
    LevelSides(std::span<const LevelCosts> levels, std::size_t leaf_rows, PolicyCost bound, std::vector<char>* sides)
        : levels_(levels), leaf_rows_(leaf_rows), best_(bound), sides_(sides), is_left_(levels.size()) {
        for (const LevelCosts& level : levels) {
            rest_ += std::min(level.left, level.right);
            rows_ += level.rows;
        }
    }
    [[nodiscard]] PolicyCost find() {
        try_from(0, 0, rest_, 0, 0);
        return best_;
    }

private:
    // `rest` is a lower bound on the cost of the levels from `next` on.
    void try_from(std::size_t next, PolicyCost cost, PolicyCost rest, std::size_t left, std::size_t right) {
        if (cost + rest >= best_ || rows_ - right < leaf_rows_ || rows_ - left < leaf_rows_) return;
        if (next == levels_.size()) {
            best_ = cost;
            if (sides_) *sides_ = is_left_;
            return;
        }
        const LevelCosts& level = levels_[next];
        rest -= std::min(level.left, level.right);
        const bool prefers_left = level.left <= level.right;
        for (const bool goes_left : {prefers_left, !prefers_left}) {
            is_left_[next] = goes_left ? 1 : 0;
            try_from(next + 1, cost + (goes_left ? level.left : level.right), rest, left + (goes_left ? level.rows : 0),
                     right + (goes_left ? 0 : level.rows));
        }
    }

    std::span<const LevelCosts> levels_;
    std::size_t leaf_rows_;
    PolicyCost best_;
    std::vector<char>* sides_;
    std::vector<char> is_left_;
    PolicyCost rest_ = 0;
    std::size_t rows_ = 0;
};

}  // namespace polyrx
