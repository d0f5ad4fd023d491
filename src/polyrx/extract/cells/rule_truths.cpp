// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/rule_truths.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

using Kind = BoundCondition::Kind;

// Evaluates a condition and stops as soon as its truth is known.
template <class OfHalfSpace>
Holds truth_of(const NumberedCondition& condition, const OfHalfSpace& of) {
    if (condition.kind == Kind::half_space) return of(condition.half_space);
    // One operand may decide; otherwise an undecided operand leaves the condition undecided.
    const Holds decides = condition.kind == Kind::all_of ? Holds::no : Holds::yes;
    Holds result = condition.kind == Kind::all_of ? Holds::yes : Holds::no;
    for (const NumberedCondition& operand : condition.operands) {
        const Holds truth = truth_of(operand, of);
        if (truth == decides) return truth;
        if (truth == Holds::perhaps) result = truth;
    }
    return result;
}

// The computed values at two corners of the box. Rounding is monotone, so no row of the box has a computed value beyond
// them. Empty if a sum overflows.
struct Corners {
    double least = 0;
    double greatest = 0;
};
std::optional<Corners> corners_of(const HalfSpace& half_space, const Domain& box) {
    Corners corners;
    for (const auto& [input, weight] : half_space.terms) {
        if (weight == 0) continue;
        const bool up = weight > 0;
        corners.least += weight * (up ? box.lower : box.upper)[input];
        corners.greatest += weight * (up ? box.upper : box.lower)[input];
        if (!std::isfinite(corners.least) || !std::isfinite(corners.greatest)) return std::nullopt;
    }
    corners.least += half_space.constant;
    corners.greatest += half_space.constant;
    return corners;
}

// `margin`: the largest difference between the checker's box and ours.
Holds truth_in(const HalfSpace& half_space, const Domain& box, double margin) {
    const std::optional<Corners> corners = corners_of(half_space, box);
    if (!corners) return Holds::perhaps;
    const double least = corners->least - margin;
    const double greatest = corners->greatest + margin;
    if (half_space.strict ? least > 0 : least >= 0) return Holds::yes;
    if (half_space.strict ? greatest <= 0 : greatest < 0) return Holds::no;
    return Holds::perhaps;
}

// From the box alone. The checker has the same bounds of whole numbers, and those of the domain.
Holds truth_in_box(const RuleGround::Each& each, const Domain& box, const Domain& domain) {
    const bool exact =
        std::all_of(each.half_space.terms.begin(), each.half_space.terms.end(), [&](const HalfSpace::Term& term) {
            return domain.integer[static_cast<std::size_t>(term.input)] ||
                   (box.lower[term.input] == domain.lower[term.input] &&
                    box.upper[term.input] == domain.upper[term.input]);
        });
    return truth_in(each.half_space, box, exact ? 0 : room_for_rounding * each.rounding);
}

// From a bound on the sum.
Holds truth_beyond(const RuleGround::Each& each, bool upper, double bound) {
    const double constant = each.half_space.constant;
    if (each.whole) {
        const double rounding = 1e-9 * (1 + std::abs(bound));
        if (upper) {
            const double most = std::floor(bound + rounding);
            return (each.half_space.strict ? most <= -constant : most < -constant) ? Holds::no : Holds::perhaps;
        }
        const double least = std::ceil(bound - rounding);
        return (each.half_space.strict ? least > -constant : least >= -constant) ? Holds::yes : Holds::perhaps;
    }
    const double room = room_for_rounding * each.rounding;
    if (upper) return bound + constant <= -room ? Holds::no : Holds::perhaps;
    return bound + constant >= room ? Holds::yes : Holds::perhaps;
}

}  // namespace

RuleTruths::RuleTruths(const RuleGround& ground)
    : ground_(&ground), truths_(ground.half_spaces.size(), Holds::perhaps), ignored_(ground.numbered.rules.size()) {}

void RuleTruths::learn(Cell& cell, std::vector<BoundProof>* proofs) {
    for (const NumberedRule& rule : ground_->numbered.rules) (void)learn(rule.applies, cell, proofs);
}

Holds RuleTruths::learn(const NumberedCondition& condition, Cell& cell, std::vector<BoundProof>* proofs) {
    return truth_of(condition, [&](std::size_t half_space) {
        Holds& truth = truths_[half_space];
        if (truth == Holds::perhaps) truth = decided(half_space, cell, proofs);
        return truth;
    });
}

Holds RuleTruths::learn_support(Cell& cell, const NumberedSupport& rule, std::vector<BoundProof>* proofs) {
    return learn(rule.applies, cell, proofs);
}

void RuleTruths::learn_support(Cell& cell, int treatment, std::vector<BoundProof>* proofs) {
    const std::vector<NumberedSupport>& support = ground_->numbered.support;
    if (support.empty()) return;
    const TreatmentSet perhaps = perhaps_allowed();
    const TreatmentSet surely = surely_allowed();
    const Vector center = cell.center();
    for (std::size_t i = 0; i < support.size(); ++i) {
        const bool own = support[i].treatment == treatment;
        if (!has(perhaps, support[i].treatment) || !has(own ? perhaps : surely, support[i].instead)) continue;
        // What fails at the center does not hold for all rows, and conversely.
        if (ground_->bound.support()[i].applies.holds(center.data()) == own) continue;
        (void)learn_support(cell, support[i], proofs);
    }
}

Holds RuleTruths::known(const NumberedCondition& condition) const {
    return truth_of(condition, [&](std::size_t half_space) { return truths_[half_space]; });
}

Holds RuleTruths::decided(std::size_t half_space, Cell& cell, std::vector<BoundProof>* proofs) const {
    const RuleGround::Each& each = ground_->half_spaces[half_space];
    if (const Holds truth = truth_in_box(each, cell.box(), ground_->domain); truth != Holds::perhaps) return truth;
    if (each.half_space.terms.size() == 1) {
        const Eigen::Index input = each.half_space.terms.front().input;
        for (const bool upper : {true, false}) {
            Bounded found = cell.largest_input(input, upper);
            Domain box = cell.box();
            (upper ? box.upper : box.lower)[input] = upper ? found.bound : -found.bound;
            const Holds truth = truth_in_box(each, box, ground_->domain);
            if (truth != Holds::perhaps && cell.learn_input(input, upper, std::move(found), proofs)) return truth;
        }
        return Holds::perhaps;
    }
    for (const bool upper : {true, false}) {
        Bounded found = cell.largest(upper ? each.sum : -each.sum);
        const Holds truth = truth_beyond(each, upper, upper ? found.bound : -found.bound);
        if (truth == Holds::perhaps) continue;
        if (proofs)
            proofs->push_back(
                {BoundProof::Of::half_space, 0, static_cast<int>(half_space), upper, std::move(found.multipliers)});
        return truth;
    }
    return Holds::perhaps;
}

TreatmentSet RuleTruths::allowed(Holds one, Holds other) const {
    TreatmentSet left = ground_->numbered.all;
    for (std::size_t i = 0; i < ignored_.size(); ++i) {
        if (ignored_[i]) continue;
        const NumberedRule& rule = ground_->numbered.rules[i];
        if (const Holds truth = known(rule.applies); truth == one || truth == other) left &= rule.allowed;
    }
    return left;
}

TreatmentSet RuleTruths::perhaps_supported() const {
    TreatmentSet left = perhaps_allowed();
    const TreatmentSet surely = surely_allowed();
    for (const NumberedSupport& rule : ground_->numbered.support)
        if (has(surely, rule.instead) && known(rule.applies) == Holds::yes) left &= ~only(rule.treatment);
    return left;
}

TreatmentSet RuleTruths::surely_supported() const {
    TreatmentSet left = surely_allowed();
    const TreatmentSet perhaps = perhaps_allowed();
    for (const NumberedSupport& rule : ground_->numbered.support)
        if (has(perhaps, rule.instead) && known(rule.applies) != Holds::no) left &= ~only(rule.treatment);
    return left;
}

std::vector<int> RuleTruths::unsupported() const {
    const TreatmentSet none = perhaps_allowed() & ~perhaps_supported();
    std::vector<int> treatments;
    for (int k = 0; k < 64; ++k)
        if (has(none, k)) treatments.push_back(k);
    return treatments;
}

std::vector<int> RuleTruths::applying() const {
    std::vector<int> rules;
    for (std::size_t i = 0; i < ground_->numbered.rules.size(); ++i) {
        const NumberedRule& rule = ground_->numbered.rules[i];
        if (rule.allowed != ground_->numbered.all && known(rule.applies) == Holds::yes)
            rules.push_back(static_cast<int>(i));
    }
    return rules;
}

std::optional<std::size_t> RuleTruths::open_in(const NumberedCondition& condition,
                                               const std::vector<char>& skip) const {
    if (known(condition) != Holds::perhaps) return std::nullopt;
    if (condition.kind == Kind::half_space) return open_half_space(condition, skip);
    for (std::size_t i = 0; i < condition.operands.size(); ++i) {
        const auto found = open_in(condition.operands[i], skip);
        if (!found) continue;
        return condition.operands[i].kind == Kind::half_space ? open_before(condition, i, *found, skip) : found;
    }
    return std::nullopt;
}

std::optional<std::size_t> RuleTruths::open_half_space(const NumberedCondition& condition,
                                                       const std::vector<char>& skip) const {
    if (truths_[condition.half_space] != Holds::perhaps) return std::nullopt;
    if (!skip.empty() && skip[condition.half_space]) return std::nullopt;
    return condition.half_space;
}

// bind_rules() puts "x is missing" after the comparison of x that it belongs to; the split on it comes first.
std::size_t RuleTruths::open_before(const NumberedCondition& condition, std::size_t place, std::size_t found,
                                    const std::vector<char>& skip) const {
    const auto terms_of = [&](std::size_t half_space) -> const std::vector<HalfSpace::Term>& {
        return ground_->half_spaces[half_space].half_space.terms;
    };
    for (std::size_t i = place + 1; i < condition.operands.size(); ++i) {
        const NumberedCondition& next = condition.operands[i];
        if (next.kind != Kind::half_space) break;
        const std::vector<HalfSpace::Term>& terms = terms_of(next.half_space);
        const bool same = std::ranges::equal(terms, terms_of(found), {}, &HalfSpace::Term::input,
                                             &HalfSpace::Term::input);  // "x = 5" is two comparisons
        if (same) continue;
        if (terms.size() != 1 || !ground_->half_spaces[next.half_space].whole) break;
        if (const auto open = open_half_space(next, skip)) return *open;
    }
    return found;
}

std::optional<RuleTruths::Open> RuleTruths::first_open(TreatmentSet treatments, const std::vector<char>& skip) const {
    for (std::size_t i = 0; i < ground_->numbered.rules.size(); ++i) {
        const NumberedRule& rule = ground_->numbered.rules[i];
        if (ignored_[i] || (treatments & ~rule.allowed) == 0) continue;
        if (const auto found = open_in(rule.applies, skip)) return Open{i, *found};
    }
    return std::nullopt;
}

std::optional<std::size_t> RuleTruths::first_open_support(TreatmentSet treatments,
                                                          const std::vector<char>& skip) const {
    const TreatmentSet allowed_somewhere = perhaps_allowed();
    for (const NumberedSupport& rule : ground_->numbered.support)
        if (has(treatments, rule.treatment) && has(allowed_somewhere, rule.instead))
            if (const auto found = open_in(rule.applies, skip)) return found;
    return std::nullopt;
}

AffineFunction beyond(const AffineFunction& function, bool yes, double margin) {
    AffineFunction side = yes ? function : -function;
    side.constant -= margin;
    return side;
}

bool take_side(const RuleGround& ground, std::size_t half_space, bool yes, Cell& cell, RuleTruths& truths) {
    const RuleSplit& split = ground.half_spaces[half_space].split;
    truths.assume(half_space, yes == split.holds_on_yes ? Holds::yes : Holds::no);
    if (!cell.constrain(beyond(split.function, yes, split.margin))) return false;
    cell.narrow_inputs(Cell::Narrow::whole_numbers);
    return !cell.is_empty();
}

}  // namespace polyrx
