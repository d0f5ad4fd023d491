// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/policy_rows.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

// Renumbers the `old` numbers that occur: 0 .. count-1 in ascending order, `end` for those that do not.
struct Renumbered {
    std::vector<std::uint32_t> of;    // per old number
    std::vector<std::uint32_t> kept;  // old number per new number
};
Renumbered renumbered(const std::vector<std::uint32_t>& old, std::uint32_t count) {
    Renumbered numbers{std::vector<std::uint32_t>(count + std::size_t{1}, absent), {}};
    for (const std::uint32_t number : old) numbers.of[number] = 0;
    for (std::uint32_t number = 0; number < count; ++number) {
        if (numbers.of[number] == absent) continue;
        numbers.of[number] = static_cast<std::uint32_t>(numbers.kept.size());
        numbers.kept.push_back(number);
    }
    numbers.of[count] = static_cast<std::uint32_t>(numbers.kept.size());
    return numbers;
}

// Numbers the slots that occur, out of `before` previous slots.
void make_slots(SlottedFeature& feature, std::uint32_t before) {
    const Renumbered numbers = renumbered(feature.slot, before);
    for (std::uint32_t& slot : feature.slot) slot = numbers.of[slot];
    feature.slots = static_cast<std::uint32_t>(numbers.kept.size());
    std::vector<std::uint32_t> rank;
    for (const std::uint32_t kept : numbers.kept) rank.push_back(feature.rank.empty() ? kept : feature.rank[kept]);
    feature.rank = std::move(rank);
    feature.missing = 0;
    if (feature.is_number)
        for (const std::uint32_t slot : feature.slot) feature.missing += slot == feature.slots ? 1 : 0;
}

SlottedFeature slotted(const RankedFeature& ranked) {
    SlottedFeature feature;
    feature.is_number = ranked.levels == 0;
    feature.slot = ranked.rank;
    feature.order = ranked.order;
    make_slots(feature, feature.is_number ? ranked.missing() : ranked.missing() + 1);
    return feature;
}

// The sum over rows of the largest cost must not exceed about 2^bits units.
constexpr int bits = 60;

}  // namespace

PolicyRows policy_rows(const RankedFeatures& ranked, const Matrix& scores, std::span<const double> weight) {
    Matrix loss = scores.colwise() - scores.rowwise().minCoeff();
    for (std::size_t i = 0; i < weight.size(); ++i) loss.row(static_cast<Eigen::Index>(i)) *= weight[i];
    const double most = loss.rowwise().maxCoeff().sum();
    if (!scores.allFinite() || !std::isfinite(most))
        throw data_error(
            "the scores for the policy tree are not finite or too large; divide the outcome by a constant and try "
            "again");
    // A power of two, so scaling is exact.
    const int exponent = most > 0 ? bits - std::ilogb(most) : 0;
    PolicyRows rows;
    rows.row.resize(ranked.rows);
    std::iota(rows.row.begin(), rows.row.end(), std::uint32_t{0});
    for (Eigen::Index k = 0; k < loss.cols(); ++k) {
        std::vector<PolicyCost>& costs = rows.costs.emplace_back();
        for (const double each : loss.col(k)) costs.push_back(std::llround(std::ldexp(each, exponent)));
    }
    for (const RankedFeature& feature : ranked.features) rows.features.push_back(slotted(feature));
    return rows;
}

PolicyRows one_side(const PolicyRows& rows, const std::vector<char>& is_left, bool left) {
    PolicyRows side;
    std::vector<std::uint32_t> chosen;
    std::vector<std::uint32_t> number(rows.rows(), absent);
    for (std::uint32_t i = 0; i < rows.rows(); ++i) {
        if ((is_left[i] != 0) != left) continue;
        number[i] = static_cast<std::uint32_t>(chosen.size());
        chosen.push_back(i);
    }
    const auto of_chosen = [&](const auto& values) {
        std::decay_t<decltype(values)> some;
        some.reserve(chosen.size());
        for (const std::uint32_t i : chosen) some.push_back(values[i]);
        return some;
    };
    side.row = of_chosen(rows.row);
    for (const std::vector<PolicyCost>& costs : rows.costs) side.costs.push_back(of_chosen(costs));
    for (const SlottedFeature& whole : rows.features) {
        SlottedFeature& part = side.features.emplace_back();
        part.is_number = whole.is_number;
        part.rank = whole.rank;
        part.slot = of_chosen(whole.slot);
        if (part.is_number) part.order.reserve(chosen.size());
        for (const std::uint32_t i : whole.order)
            if (number[i] != absent) part.order.push_back(number[i]);
        make_slots(part, whole.slots);
    }
    return side;
}

std::vector<PolicyCost> total_costs(const PolicyRows& rows) {
    std::vector<PolicyCost> totals;
    for (const std::vector<PolicyCost>& costs : rows.costs)
        totals.push_back(std::accumulate(costs.begin(), costs.end(), PolicyCost{0}));
    return totals;
}

}  // namespace polyrx
