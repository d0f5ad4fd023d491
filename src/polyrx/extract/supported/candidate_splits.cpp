// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/candidate_splits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "polyrx/extract/supported/outcome_fit.hpp"
#include "polyrx/network/affine_piece.hpp"
#include "polyrx/tree/numbered_rules.hpp"

namespace polyrx {
namespace {

constexpr std::size_t points_per_pair = 16;

// The node's most common treatments, at most three, the most common first.
std::vector<int> common_treatments(const TreatmentCounts& counts) {
    std::vector<int> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
    });
    std::erase_if(order, [&](int k) { return counts[static_cast<std::size_t>(k)] == 0; });
    if (order.size() > 3) order.resize(3);
    return order;
}

// Members between where a and b are closest and where they are furthest apart, denser at the former: pieces near the
// boundary locate it, and those far away give its direction.
std::vector<Eigen::Index> points_between(const LabeledRows& rows, std::span<const Eigen::Index> members, int a, int b) {
    std::vector<std::pair<double, Eigen::Index>> gaps;
    gaps.reserve(members.size());
    for (const Eigen::Index row : members)
        gaps.emplace_back(std::abs(rows.outcomes(row, a) - rows.outcomes(row, b)), row);
    std::sort(gaps.begin(), gaps.end());
    std::vector<Eigen::Index> points;
    for (std::size_t i = 0; i < points_per_pair; ++i) {
        const std::size_t position = (gaps.size() - 1) * i * i / ((points_per_pair - 1) * (points_per_pair - 1));
        if (points.empty() || points.back() != gaps[position].second) points.push_back(gaps[position].second);
    }
    return points;
}

AffineFunction difference(const AffineFunction& a, const AffineFunction& b) {
    return {a.weights - b.weights, a.constant - b.constant};
}

}  // namespace

std::vector<CandidateSplit> candidate_splits(const ReluNetwork& network, const Domain& domain, const LabeledRows& rows,
                                             std::span<const Eigen::Index> members, const TreatmentCounts& counts) {
    std::vector<char> bounded(static_cast<std::size_t>(domain.inputs()));
    for (Eigen::Index input = 0; input < domain.inputs(); ++input)
        bounded[static_cast<std::size_t>(input)] =
            std::isfinite(domain.lower[input]) && std::isfinite(domain.upper[input]);

    std::vector<CandidateSplit> candidates;
    const auto add = [&](AffineFunction function, SplitOrigin origin, bool movable) {
        if (!function.weights.allFinite() || !std::isfinite(function.constant)) return;
        Eigen::Index terms = 0;
        bool whole = true;
        for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
            if (function.weights[input] == 0) continue;
            if (!bounded[static_cast<std::size_t>(input)]) return;
            ++terms;
            whole = whole && domain.integer[static_cast<std::size_t>(input)];
        }
        // For a single whole-number input, the cut is equivalent and has no rows in its guard band.
        if (terms == 0 || (terms == 1 && whole && origin.kind != SplitOrigin::Kind::cut)) return;
        candidates.push_back({std::move(function), origin, movable});
    };

    for (Eigen::Index input = 0; input < domain.inputs(); ++input)
        add({Vector::Unit(domain.inputs(), input), 0}, {SplitOrigin::Kind::cut, static_cast<int>(input), 0}, true);

    if (network.layers().size() > 1) {
        const Layer& first = network.layers().front();
        for (Eigen::Index neuron = 0; neuron < first.weights.rows(); ++neuron)
            add({first.weights.row(neuron), first.bias[neuron]},
                {SplitOrigin::Kind::neuron, 0, static_cast<int>(neuron)}, false);
    }

    const std::vector<int> common = common_treatments(counts);
    std::vector<TreatmentPair> pairs;
    for (std::size_t i = 0; i < common.size(); ++i)
        for (std::size_t j = i + 1; j < common.size(); ++j)
            pairs.push_back({std::min(common[i], common[j]), std::max(common[i], common[j])});
    for (const auto& [a, b] : pairs)
        for (const Eigen::Index point : points_between(rows, members, a, b)) {
            const Pattern pattern = activation_pattern(network, rows.inputs.row(point).transpose());
            const std::vector<AffineFunction> outcomes = affine_outcomes(network, pattern);
            add(difference(outcomes[static_cast<std::size_t>(a)], outcomes[static_cast<std::size_t>(b)]),
                {SplitOrigin::Kind::outcomes, a, b}, true);
        }
    for (OutcomeFit& fit : fit_outcomes(rows, members, pairs, bounded))
        add(std::move(fit.function), {SplitOrigin::Kind::outcomes, fit.pair.a, fit.pair.b}, true);
    return candidates;
}

std::vector<CandidateSplit> support_splits(const BoundRules& rules, const Domain& domain) {
    std::vector<CandidateSplit> splits;
    const NumberedRules numbered(rules, 64);
    std::vector<char> seen(numbered.half_spaces.size());
    const auto add = [&](const auto& self, const NumberedCondition& condition, const SplitOrigin& origin) -> void {
        for (const NumberedCondition& operand : condition.operands) self(self, operand, origin);
        if (condition.kind != BoundCondition::Kind::half_space || seen[condition.half_space]) return;
        seen[condition.half_space] = 1;
        const HalfSpace& half_space = numbered.half_spaces[condition.half_space];
        const bool bounded = std::ranges::all_of(half_space.terms, [&](const HalfSpace::Term& term) {
            return std::isfinite(domain.lower[term.input]) && std::isfinite(domain.upper[term.input]);
        });
        if (bounded && !half_space.terms.empty()) splits.push_back({half_space.function(domain.inputs()), origin});
    };
    for (const NumberedSupport& rule : numbered.support)
        add(add, rule.applies, {SplitOrigin::Kind::support, rule.treatment, rule.instead});
    return splits;
}

}  // namespace polyrx
