// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/best_stump.hpp"

#include <algorithm>

#include "polyrx/baselines/policy_tree/level_sides.hpp"
#include "polyrx/baselines/policy_tree/split_chain.hpp"

namespace polyrx {
namespace {

class StumpSearch {
public:
    StumpSearch(const PolicyRows& rows, std::size_t leaf_rows) : rows_(rows), leaf_rows_(leaf_rows) {
        totals_ = total_costs(rows);
        best_.cost = std::ranges::min(totals_);
    }

    [[nodiscard]] PolicyChoice find() {
        for (std::size_t f = 0; f < rows_.features.size(); ++f) {
            const SlottedFeature& feature = rows_.features[f];
            if (!feature.is_number) {
                try_categories(f);
                continue;
            }
            for (const bool missing_left : {false, true})
                if (!missing_left || feature.missing > 0)
                    try_chain(number_chain(rows_, f, missing_left, leaf_rows_, 1));
        }
        return std::move(best_);
    }

private:
    void try_chain(const SplitChain& chain) {
        std::vector<PolicyCost> left(totals_.size());
        std::size_t i = 0;
        std::size_t cut = 0;
        for (const std::size_t end : chain.ends) {
            for (; i < end; ++i)
                for (std::size_t k = 0; k < left.size(); ++k) left[k] += rows_.costs[k][chain.order[i]];
            PolicyCost on_left = left[0];
            PolicyCost on_right = totals_[0] - left[0];
            for (std::size_t k = 1; k < left.size(); ++k) {
                on_left = std::min(on_left, left[k]);
                on_right = std::min(on_right, totals_[k] - left[k]);
            }
            if (on_left + on_right >= best_.cost) continue;
            best_.cost = on_left + on_right;
            cut = end;
        }
        if (cut > 0) note(chain.feature, left_slots_of(chain, rows_.features[chain.feature], cut), chain.missing_left);
    }

    void try_categories(std::size_t f) {
        const SlottedFeature& feature = rows_.features[f];
        std::vector<LevelCosts> levels(feature.slots);
        for (std::size_t i = 0; i < rows_.rows(); ++i) ++levels[feature.slot[i]].rows;
        for (std::size_t a = 0; a < totals_.size(); ++a)
            for (std::size_t b = a + 1; b < totals_.size(); ++b) {
                for (LevelCosts& level : levels) level.left = level.right = 0;
                for (std::size_t i = 0; i < rows_.rows(); ++i) {
                    levels[feature.slot[i]].left += rows_.costs[a][i];
                    levels[feature.slot[i]].right += rows_.costs[b][i];
                }
                std::vector<char> sides;
                const PolicyCost cost = LevelSides(levels, leaf_rows_, best_.cost, &sides).find();
                if (cost >= best_.cost) continue;
                best_.cost = cost;
                note(f, std::move(sides), false);
            }
    }

    void note(std::size_t f, std::vector<char> left_slots, bool missing_left) {
        best_.levels = 1;
        best_.feature = static_cast<int>(f);
        best_.left_slots = std::move(left_slots);
        best_.missing_left = missing_left;
    }

    const PolicyRows& rows_;
    std::size_t leaf_rows_;
    std::vector<PolicyCost> totals_;
    PolicyChoice best_;
};

}  // namespace

PolicyChoice best_stump(const PolicyRows& rows, std::size_t leaf_rows) {
    return StumpSearch(rows, leaf_rows).find();
}

}  // namespace polyrx
