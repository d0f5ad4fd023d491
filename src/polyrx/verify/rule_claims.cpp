// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/rule_claims.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/verify/rounding.hpp"

namespace polyrx::checking {
namespace {

// Sums of whole numbers below 2^52 are exact in any order.
bool has_whole_sum(const HalfSpace& half_space, const Domain& domain, const Box& box) {
    double most = 0;
    for (const HalfSpace::Term& term : half_space.terms) {
        if (!domain.integer[static_cast<std::size_t>(term.input)] || std::trunc(term.weight) != term.weight)
            return false;
        most = add_up(most, multiply_up(std::abs(term.weight), magnitude(box[term.input])));
    }
    return most <= 0x1p52;
}

// The minimum and maximum of the value as the policy computes it. Rounding is monotone: a smaller term gives a rounded
// term and rounded sums that are not larger. So each term is evaluated at the ends of its input's range, and the values
// of all rows lie between. Infinite if anything overflows.
Interval computed_range(const HalfSpace& half_space, const Box& box) {
    double least = 0;
    double greatest = 0;
    for (const HalfSpace::Term& term : half_space.terms) {
        if (term.weight == 0) continue;  // adds 0 for any input
        const Interval x = box[term.input];
        least += term.weight * (term.weight > 0 ? x.lower : x.upper);
        greatest += term.weight * (term.weight > 0 ? x.upper : x.lower);
        if (!std::isfinite(least) || !std::isfinite(greatest)) return {-infinity, infinity};
    }
    return {least + half_space.constant, greatest + half_space.constant};
}

// The range of the computed value if the real sum lies in the interval.
Interval computed_from(const Interval& sum, const HalfSpace& half_space, const Box& box) {
    double S = std::abs(half_space.constant);
    for (const HalfSpace::Term& term : half_space.terms)
        S = add_up(S, multiply_up(std::abs(term.weight), magnitude(box[term.input])));
    const double error = add_up(multiply_up(gamma(static_cast<Eigen::Index>(half_space.terms.size())), S), tiny);
    if (!(add_up(S, error) < infinity)) return {-infinity, infinity};
    const Interval value = sum + Interval(half_space.constant);
    return {add_down(value.lower, -error), add_up(value.upper, error)};
}

}  // namespace

RuleClaims::RuleClaims(const BoundRules& rules, const Domain& domain, std::size_t treatments)
    : numbered_(rules, treatments), inputs_(domain.inputs()) {
    const Box box(domain);
    for (const HalfSpace& half_space : numbered_.half_spaces) {
        for (const HalfSpace::Term& term : half_space.terms)
            if (term.input < 0 || term.input >= inputs_)
                throw data_error("a rule uses an input that the tree does not have");
        whole_.push_back(has_whole_sum(half_space, domain, box) ? 1 : 0);
    }
}

HalfSpaceSums RuleClaims::unknown() const {
    return HalfSpaceSums(half_spaces(), Interval(-infinity, infinity));
}

LinearForm RuleClaims::sum(std::size_t half_space) const {
    LinearForm form{std::vector<Interval>(static_cast<std::size_t>(inputs_)), 0};
    for (const HalfSpace::Term& term : numbered_.half_spaces[half_space].terms) {
        Interval& weight = form.weights[static_cast<std::size_t>(term.input)];
        weight = weight + Interval(term.weight);
    }
    return form;
}

RuleClaims::Truth RuleClaims::truth(std::size_t number, const Box& box, const Interval& sum) const {
    const HalfSpace& half_space = numbered_.half_spaces[number];
    const auto truth_of = [&](const Interval& value) {
        if (half_space.strict ? value.lower > 0 : value.lower >= 0) return Truth::always;
        if (half_space.strict ? value.upper <= 0 : value.upper < 0) return Truth::never;
        return Truth::perhaps;
    };
    if (const Truth by_box = truth_of(computed_range(half_space, box)); by_box != Truth::perhaps) return by_box;
    if (!whole_[number]) return truth_of(computed_from(sum, half_space, box));
    // The computed sum equals the real one, a whole number. The last addition rounds, but a rounded sum of two numbers
    // has the sign of the real one, so the comparison is exact.
    const double least = std::ceil(sum.lower);
    const double greatest = std::floor(sum.upper);
    if (half_space.strict ? least > -half_space.constant : least >= -half_space.constant) return Truth::always;
    if (half_space.strict ? greatest <= -half_space.constant : greatest < -half_space.constant) return Truth::never;
    return Truth::perhaps;
}

RuleClaims::Truth RuleClaims::truth(const NumberedCondition& condition, const Box& box,
                                    const HalfSpaceSums& sums) const {
    if (condition.kind == BoundCondition::Kind::half_space)
        return truth(condition.half_space, box, sums[condition.half_space]);
    std::size_t always = 0;
    std::size_t never = 0;
    for (const NumberedCondition& operand : condition.operands) {
        const Truth each = truth(operand, box, sums);
        always += each == Truth::always ? 1 : 0;
        never += each == Truth::never ? 1 : 0;
    }
    if (condition.kind == BoundCondition::Kind::all_of) {
        if (never > 0) return Truth::never;
        return always == condition.operands.size() ? Truth::always : Truth::perhaps;
    }
    if (always > 0) return Truth::always;
    return never == condition.operands.size() ? Truth::never : Truth::perhaps;
}

RuleClaims::Verdict RuleClaims::verdict(const Box& box, const HalfSpaceSums& sums) const {
    Verdict verdict{numbered_.all, numbered_.all, 0, {}};
    for (const NumberedRule& rule : numbered_.rules) {
        const Truth applies = truth(rule.applies, box, sums);
        if (applies == Truth::always) verdict.perhaps &= rule.allowed;
        if (applies != Truth::never) verdict.surely &= rule.allowed;
        verdict.applies.push_back(applies == Truth::always ? 1 : 0);
    }
    // Support is relative to what rules allow, not to what is supported.
    const TreatmentSet perhaps_allowed = verdict.perhaps;
    const TreatmentSet surely_allowed = verdict.surely;
    for (const NumberedSupport& rule : numbered_.support) {
        const Truth applies = truth(rule.applies, box, sums);
        const TreatmentSet treatment = only(rule.treatment);
        if (applies == Truth::always && has(surely_allowed, rule.instead)) verdict.unsupported |= treatment;
        if (applies != Truth::never && has(perhaps_allowed, rule.instead)) verdict.surely &= ~treatment;
    }
    verdict.perhaps &= ~verdict.unsupported;
    return verdict;
}

}  // namespace polyrx::checking
