// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/compared_sums.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

bool same_sum(const HalfSpace& a, const HalfSpace& b) {
    return a.terms == b.terms && a.constant == b.constant;
}

}  // namespace

ComparedSums::ComparedSums(std::vector<const BoundCondition*> conditions) : conditions_(std::move(conditions)) {
    for (const BoundCondition* condition : conditions_) {
        begins_.push_back(comparisons_.size());
        add(*condition);
    }
}

void ComparedSums::add(const BoundCondition& condition) {
    for (const BoundCondition& operand : condition.operands) add(operand);
    if (condition.kind != BoundCondition::Kind::half_space) return;
    const HalfSpace& half_space = condition.half_space;
    const HalfSpace negated = half_space.complement();
    const auto found = std::ranges::find_if(
        sums_, [&](const HalfSpace& sum) { return same_sum(sum, half_space) || same_sum(sum, negated); });
    const bool flipped = found != sums_.end() && !same_sum(*found, half_space);
    comparisons_.push_back({static_cast<int>(found - sums_.begin()),
                            (flipped ? below_zero : above_zero) | (half_space.strict ? SignSet{0} : at_zero)});
    if (found == sums_.end()) sums_.push_back(half_space);
}

Holds ComparedSums::truth(std::size_t condition, const Known& known) const {
    std::size_t next = begins_[condition];
    return truth(*conditions_[condition], known, next);
}

Holds ComparedSums::truth(const BoundCondition& condition, const Known& known, std::size_t& next) const {
    if (condition.kind == BoundCondition::Kind::half_space) {
        const Comparison& comparison = comparisons_[next++];
        const SignSet may = known[static_cast<std::size_t>(comparison.sum)];
        if ((may & ~comparison.holds) == 0) return Holds::yes;
        return (may & comparison.holds) == 0 ? Holds::no : Holds::perhaps;
    }
    const bool all = condition.kind == BoundCondition::Kind::all_of;
    Holds result = all ? Holds::yes : Holds::no;
    for (const BoundCondition& operand : condition.operands) {
        const Holds each = truth(operand, known, next);
        result = all ? std::min(result, each) : std::max(result, each);
    }
    return result;
}

ComparedSums::Side ComparedSums::side(int comparison, bool yes, const Known& known) const {
    const Comparison& of = comparisons_[static_cast<std::size_t>(comparison)];
    const SignSet signs = yes ? of.holds : any_sign & ~of.holds;
    // A side has either no negative or no positive sign.
    return {known[static_cast<std::size_t>(of.sum)] & signs, (signs & below_zero) == 0 ? 1.0 : -1.0};
}

int ComparedSums::first_open(std::size_t condition, const Known& known) const {
    std::size_t next = begins_[condition];
    return first_open(*conditions_[condition], known, next);
}

int ComparedSums::first_open(const BoundCondition& condition, const Known& known, std::size_t& next) const {
    const std::size_t begin = next;
    std::size_t end = begin;
    if (truth(condition, known, end) != Holds::perhaps) {
        next = end;
        return -1;
    }
    if (condition.kind == BoundCondition::Kind::half_space) {
        next = end;
        return static_cast<int>(begin);
    }
    for (const BoundCondition& operand : condition.operands) {
        const int open = first_open(operand, known, next);
        if (open >= 0) return open;
    }
    return -1;
}

std::vector<const BoundCondition*> conditions_of(const BoundRule& claim, const BoundRules& rules) {
    std::vector<const BoundCondition*> conditions{&claim.applies};
    for (const BoundRule& rule : rules.rules()) conditions.push_back(&rule.applies);
    for (const SupportRule& rule : rules.support()) conditions.push_back(&rule.applies);
    return conditions;
}

AllowedSets allowed_sets(const BoundRules& rules, const ComparedSums& sums, std::size_t first,
                         const ComparedSums::Known& known) {
    AllowedSets sets{rules.all(), rules.all()};
    for (std::size_t r = 0; r < rules.rules().size(); ++r) {
        const Holds applies = sums.truth(first + r, known);
        if (applies != Holds::no) sets.surely &= rules.rules()[r].allowed;
        if (applies == Holds::yes) sets.perhaps &= rules.rules()[r].allowed;
    }
    const AllowedSets by_rules = sets;
    for (std::size_t s = 0; s < rules.support().size(); ++s) {
        const SupportRule& rule = rules.support()[s];
        const Holds applies = sums.truth(first + rules.rules().size() + s, known);
        if (applies != Holds::no && has(by_rules.perhaps, rule.instead)) sets.surely &= ~only(rule.treatment);
        if (applies == Holds::yes && has(by_rules.surely, rule.instead)) sets.perhaps &= ~only(rule.treatment);
    }
    return sets;
}

std::optional<double> exact_unit(const HalfSpace& sum, const Domain& domain) {
    // Rounding cannot move x + c past 0 for any c.
    const bool one_input = sum.terms.size() == 1 && std::abs(sum.terms.front().weight) == 1;
    const std::optional<double> otherwise = one_input ? std::optional(0.0) : std::nullopt;
    double size = std::abs(sum.constant);
    for (const HalfSpace::Term& term : sum.terms) {
        if (!domain.integer[static_cast<std::size_t>(term.input)]) return otherwise;
        size +=
            std::abs(term.weight) * std::max(std::abs(domain.lower[term.input]), std::abs(domain.upper[term.input]));
    }
    const auto is_multiple = [](double value, double unit) { return std::trunc(value / unit) == value / unit; };
    // Divisions by powers of two are exact. The limit is half of 2^53, because `size` is rounded itself.
    for (double unit = 1; unit > 0 && size / unit < 0x1p52; unit /= 2)
        if (is_multiple(sum.constant, unit) &&
            std::ranges::all_of(sum.terms, [&](const HalfSpace::Term& term) { return is_multiple(term.weight, unit); }))
            return unit >= 0x1p-30 * size ? unit : 0;  // the rounding of linear programs hides smaller units
    return otherwise;
}

}  // namespace polyrx
