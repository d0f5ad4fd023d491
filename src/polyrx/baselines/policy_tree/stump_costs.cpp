// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/stump_costs.hpp"

#include <limits>

#include "polyrx/baselines/policy_tree/level_sides.hpp"
#include "polyrx/baselines/policy_tree/prefix_extremes.hpp"

namespace polyrx {
namespace {

constexpr PolicyCost unknown = std::numeric_limits<PolicyCost>::max();

// Totals over the rows up to one of the ends.
struct PairTotals {
    PolicyCost a = 0;
    PolicyCost b = 0;
};

// Lowers the costs to those of splits with treatment `a` on one side and `b` on the other.
class PairSweep {
public:
    PairSweep(const PolicyRows& rows, std::span<const std::uint32_t> order, std::span<const std::size_t> ends,
              std::size_t leaf_rows, std::size_t a, std::size_t b, std::vector<PolicyCost>& costs)
        : order_(order), ends_(ends), leaf_rows_(leaf_rows), costs_(costs) {
        of_.reserve(ends.empty() ? 0 : ends.back());
        PairTotals total;
        std::size_t i = 0;
        for (const std::size_t end : ends) {
            for (; i < end; ++i) {
                of_.push_back({rows.costs[a][order[i]], rows.costs[b][order[i]]});
                total.a += of_.back().a;
                total.b += of_.back().b;
            }
            totals_.push_back(total);
        }
    }

    void by_number(const SlottedFeature& feature) {
        PrefixExtremes sums(feature.slots);
        SlotCounts counts(leaf_rows_ > 1 ? feature.slots : 0);
        PairTotals missing;
        std::size_t i = 0;
        for (std::size_t e = 0; e < ends_.size(); ++e) {
            for (; i < ends_[e]; ++i) {
                const std::uint32_t slot = feature.slot[order_[i]];
                if (slot == feature.slots) {
                    missing.a += of_[i].a;
                    missing.b += of_[i].b;
                    continue;
                }
                sums.add(slot, of_[i].a - of_[i].b);
                if (leaf_rows_ > 1) counts.add(slot);
            }
            const PairTotals present{totals_[e].a - missing.a, totals_[e].b - missing.b};
            const Extremes extremes = sums.all();
            const PolicyCost cost =
                std::min(present.b + extremes.lowest, present.a - extremes.highest) + std::min(missing.a, missing.b);
            if (cost >= costs_[e]) continue;
            costs_[e] =
                leaf_rows_ > 1 ? std::min(costs_[e], with_enough(sums, counts, ends_[e], present, missing)) : cost;
        }
    }

    void by_category(const SlottedFeature& feature) {
        std::vector<LevelCosts> levels(feature.slots);
        PolicyCost cost = 0;
        std::size_t i = 0;
        for (std::size_t e = 0; e < ends_.size(); ++e) {
            for (; i < ends_[e]; ++i) {
                LevelCosts& level = levels[feature.slot[order_[i]]];
                cost -= std::min(level.left, level.right);
                level.left += of_[i].a;
                level.right += of_[i].b;
                ++level.rows;
                cost += std::min(level.left, level.right);
            }
            if (cost >= costs_[e]) continue;
            costs_[e] = leaf_rows_ > 1 ? LevelSides(levels, leaf_rows_, costs_[e], nullptr).find() : cost;
        }
    }

private:
    // For a minimum number of rows per side: missing values may help either side to reach it.
    [[nodiscard]] PolicyCost with_enough(const PrefixExtremes& sums, const SlotCounts& counts, std::size_t rows,
                                         const PairTotals& present, const PairTotals& missing) const {
        const std::size_t without_value = rows - counts.total();
        PolicyCost best = unknown;
        for (const bool missing_left : {false, true}) {
            const auto needed = [&](bool helped) {
                const std::size_t help = helped ? without_value : 0;
                return leaf_rows_ > help ? leaf_rows_ - help : 0;
            };
            const std::size_t left = needed(missing_left);
            const std::size_t right = needed(!missing_left);
            if (left + right > counts.total()) continue;
            const std::size_t first = counts.first_with(left);
            const std::size_t last = counts.first_within(counts.total() - right);
            if (first > last) continue;
            const Extremes extremes = sums.between(first, last);
            best = std::min({best, present.b + extremes.lowest + (missing_left ? missing.a : missing.b),
                             present.a - extremes.highest + (missing_left ? missing.b : missing.a)});
            if (without_value == 0) break;
        }
        return best;
    }

    std::span<const std::uint32_t> order_;
    std::span<const std::size_t> ends_;
    std::size_t leaf_rows_;
    std::vector<PairTotals> of_;      // per place in the order: this row alone
    std::vector<PairTotals> totals_;  // per end
    std::vector<PolicyCost>& costs_;
};

}  // namespace

std::vector<PolicyCost> stump_costs(const PolicyRows& rows, std::span<const std::uint32_t> order,
                                    std::span<const std::size_t> ends, std::size_t leaf_rows) {
    std::vector<PolicyCost> costs(ends.size(), unknown);
    for (const std::vector<PolicyCost>& of : rows.costs) {
        PolicyCost total = 0;
        std::size_t i = 0;
        for (std::size_t e = 0; e < ends.size(); ++e) {
            for (; i < ends[e]; ++i) total += of[order[i]];
            costs[e] = std::min(costs[e], total);
        }
    }
    for (std::size_t a = 0; a < rows.treatments(); ++a)
        for (std::size_t b = a + 1; b < rows.treatments(); ++b) {
            PairSweep sweep(rows, order, ends, leaf_rows, a, b, costs);
            for (const SlottedFeature& feature : rows.features) {
                if (feature.is_number)
                    sweep.by_number(feature);
                else
                    sweep.by_category(feature);
            }
        }
    return costs;
}

}  // namespace polyrx
