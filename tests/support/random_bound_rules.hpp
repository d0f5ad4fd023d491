// SPDX-License-Identifier: Apache-2.0
// Random rules in terms of a domain's inputs, and rows on their borders.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/rules/choose.hpp"
#include "tests/support/boundary_rows.hpp"

namespace polyrx::test {

inline BoundCondition half_space(std::vector<HalfSpace::Term> terms, double constant, bool strict = true) {
    return {BoundCondition::Kind::half_space, {std::move(terms), constant, strict}, {}};
}
inline BoundCondition all_of(std::vector<BoundCondition> operands) {
    return {BoundCondition::Kind::all_of, {}, std::move(operands)};
}
inline BoundCondition any_of(std::vector<BoundCondition> operands) {
    return {BoundCondition::Kind::any_of, {}, std::move(operands)};
}

// One input against a number that it may have, as users write them: "bmi >= 30", "smoker", "site = A", "visits = 3"; or
// a sum of several.
inline BoundCondition random_comparison(Rng& rng, const Domain& domain) {
    const auto any_input = [&] {
        return static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(domain.inputs())));
    };
    const Vector at = uniform_row(rng, domain);
    const bool strict = rng.bernoulli(0.5);
    if (rng.bernoulli(0.6)) {
        const Eigen::Index input = any_input();
        const double sign = rng.bernoulli(0.5) ? 1 : -1;
        if (domain.integer[static_cast<std::size_t>(input)] && domain.upper[input] == 1)
            return half_space({{input, sign}}, -0.5 * sign, strict);
        if (rng.bernoulli(0.2))  // equal
            return all_of({half_space({{input, 1}}, -at[input], false), half_space({{input, -1}}, at[input], false)});
        const double weight = sign * (rng.bernoulli(0.3) ? 0.1 : 1);
        return half_space({{input, weight}}, -weight * at[input], strict);
    }
    std::vector<HalfSpace::Term> terms;
    const bool whole = rng.bernoulli(0.5);
    double constant = 0;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        if (!rng.bernoulli(0.5) || (whole && !domain.integer[static_cast<std::size_t>(input)])) continue;
        const double weight = whole ? static_cast<double>(rng.below(5)) - 2 : rng.normal();
        if (weight == 0) continue;
        terms.push_back({input, weight});
        constant -= weight * at[input];
    }
    if (terms.empty()) return half_space({{any_input(), 1}}, -0.5, strict);
    // With weights that are no whole numbers, rows must not lie on the border by design.
    return half_space(std::move(terms), whole ? constant : constant + 0.1 * rng.normal(), strict);
}

inline BoundCondition random_bound_condition(Rng& rng, const Domain& domain, int depth) {
    if (depth == 0 || rng.bernoulli(0.4)) return random_comparison(rng, domain);
    std::vector<BoundCondition> operands;
    for (std::uint64_t i = 1 + rng.below(3); i > 0; --i)
        operands.push_back(random_bound_condition(rng, domain, depth - 1));
    BoundCondition condition = rng.bernoulli(0.5) ? all_of(std::move(operands)) : any_of(std::move(operands));
    return rng.bernoulli(0.2) ? condition.complement() : condition;
}

// Some of them may leave no treatment.
inline BoundRules random_bound_rules(Rng& rng, const Domain& domain, std::size_t treatments, std::size_t count) {
    std::vector<BoundRule> rules;
    for (std::size_t i = 0; i < count; ++i) {
        TreatmentSet allowed = 0;
        for (std::size_t k = 0; k < treatments; ++k)
            if (rng.bernoulli(0.6)) allowed |= TreatmentSet{1} << k;
        if (allowed == 0 && rng.bernoulli(0.8)) allowed = TreatmentSet{1} << rng.below(treatments);
        rules.push_back({random_bound_condition(rng, domain, 2), allowed});
    }
    return {std::move(rules), treatments};
}

// For boundary_rows(): what network and rules prescribe, and which treatments are allowed.
inline auto ruled_key(const ReluNetwork& network, const BoundRules& rules) {
    return [&](const Matrix& rows) { return choose(rules, rows, forward(network, rows)); };
}
inline auto allowed_key(const BoundRules& rules) {
    return [&rules](const Matrix& rows) { return rules.allowed(rows); };
}

}  // namespace polyrx::test
