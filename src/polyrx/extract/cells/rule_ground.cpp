// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/extract/cells/exact_guard.hpp"
#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// Doubles represent whole numbers up to here, and their halves, exactly.
constexpr double largest_whole = 0x1p50;

bool is_whole_input(const Domain& domain, const HalfSpace::Term& term) {
    return domain.integer[static_cast<std::size_t>(term.input)] != 0;
}

// Whether the sum of the terms is a whole number for every row and is computed exactly.
bool has_whole_sum(const HalfSpace& half_space, const Domain& domain) {
    double most = 0;
    for (const HalfSpace::Term& term : half_space.terms) {
        if (!is_whole_input(domain, term) || std::trunc(term.weight) != term.weight) return false;
        most +=
            std::abs(term.weight) * std::max(std::abs(domain.lower[term.input]), std::abs(domain.upper[term.input]));
    }
    return most <= largest_whole;
}

// For a single whole number: the cut between the last value outside the half-space and the first inside, as the policy
// computes them.
std::optional<RuleSplit> cut_between(const HalfSpace& half_space, const Domain& domain) {
    if (half_space.terms.size() != 1 || !is_whole_input(domain, half_space.terms.front())) return std::nullopt;
    const auto& [input, weight] = half_space.terms.front();
    const double border = -half_space.constant / weight;
    if (!(std::abs(border) <= largest_whole)) return std::nullopt;
    const auto holds_at = [&](double x) {
        const double value = weight * x + half_space.constant;
        return half_space.strict ? value > 0 : value >= 0;
    };
    double above = std::floor(border) - 1;
    while (holds_at(above) != (weight > 0)) ++above;
    return RuleSplit{{Vector::Unit(domain.inputs(), input), 0.5 - above}, weight > 0, 0, 0, true};
}

RuleSplit split_of(const RuleGround::Each& each, const Domain& domain) {
    const HalfSpace& half_space = each.half_space;
    if (auto cut = cut_between(half_space, domain)) return *cut;
    if (each.whole && std::abs(half_space.constant) <= largest_whole) {
        const double first = half_space.strict ? std::floor(-half_space.constant) + 1 : std::ceil(-half_space.constant);
        return {{each.sum.weights, 0.5 - first}, true, 0, 0, true};
    }
    const AffineFunction function = half_space.function(domain.inputs());
    return {half_space.strict ? function : -function, half_space.strict, 0, 0, false};
}

}  // namespace

RuleGround::RuleGround(const BoundRules& rules, const Domain& of_domain, Eigen::Index treatments)
    : bound(rules), domain(of_domain), numbered(rules, static_cast<std::size_t>(treatments)) {
    for (const HalfSpace& half_space : numbered.half_spaces) {
        Each each{half_space, half_space.function(domain.inputs()), has_whole_sum(half_space, domain), 0, {}};
        each.sum.constant = 0;
        // Terms of one input may cancel, but their rounding errors do not.
        AffineFunction terms{Vector::Zero(domain.inputs()), half_space.constant};
        for (const HalfSpace::Term& term : half_space.terms) terms.weights[term.input] += std::abs(term.weight);
        each.rounding = rounding_bound(terms, domain);
        each.split = split_of(each, domain);
        each.split.guard = exact_guard(each.split.function, domain, each.rounding);
        each.split.margin = each.split.guard - rounding_bound(each.split.function, domain);
        if (!std::isfinite(each.split.guard))
            throw usage_error("a rule uses an input without bounds in the domain; set them with --domain");
        half_spaces.push_back(std::move(each));
    }
}

}  // namespace polyrx
