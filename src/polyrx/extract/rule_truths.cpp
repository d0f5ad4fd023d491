// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/rule_truths.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

using Kind = BoundCondition::Kind;

// Asks for the truth of half-spaces as long as it matters.
template <class OfHalfSpace>
Holds truth_of(const NumberedCondition& condition, const OfHalfSpace& of) {
    if (condition.kind == Kind::half_space) return of(condition.half_space);
    // One operand may decide; else one that is open leaves all open.
    const Holds decides = condition.kind == Kind::all_of ? Holds::no : Holds::yes;
    Holds result = condition.kind == Kind::all_of ? Holds::yes : Holds::no;
    for (const NumberedCondition& operand : condition.operands) {
        const Holds truth = truth_of(operand, of);
        if (truth == decides) return truth;
        if (truth == Holds::perhaps) result = truth;
    }
    return result;
}

// The checker rounds outwards, so what is decided here leaves it room: so many times the rounding errors.
constexpr double room_for_rounding = 4;

// Rounding keeps the order of numbers, so that no row of the box has a larger computed value than this, or a smaller
// one: each term at its end. Nothing if a sum overflows.
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

// `margin`: what the checker's box may differ from ours by.
Holds truth_in(const HalfSpace& half_space, const Domain& box, double margin) {
    const std::optional<Corners> corners = corners_of(half_space, box);
    if (!corners) return Holds::perhaps;
    const double least = corners->least - margin;
    const double greatest = corners->greatest + margin;
    if (half_space.strict ? least > 0 : least >= 0) return Holds::yes;
    if (half_space.strict ? greatest <= 0 : greatest < 0) return Holds::no;
    return Holds::perhaps;
}

// By the box alone. The checker has the same bounds of whole numbers, and those of the domain.
Holds truth_in_box(const RuleGround::Each& each, const Domain& box, const Domain& domain) {
    const bool exact =
        std::all_of(each.half_space.terms.begin(), each.half_space.terms.end(), [&](const HalfSpace::Term& term) {
            return domain.integer[static_cast<std::size_t>(term.input)] ||
                   (box.lower[term.input] == domain.lower[term.input] &&
                    box.upper[term.input] == domain.upper[term.input]);
        });
    return truth_in(each.half_space, box, exact ? 0 : room_for_rounding * each.rounding);
}

// By a bound of the sum.
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
    for (const NumberedRule& rule : ground_->numbered.rules)
        (void)truth_of(rule.applies, [&](std::size_t half_space) {
            Holds& truth = truths_[half_space];
            if (truth == Holds::perhaps) truth = decided(half_space, cell, proofs);
            return truth;
        });
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
    if (condition.kind == Kind::half_space) {
        if (!skip.empty() && skip[condition.half_space]) return std::nullopt;
        return condition.half_space;
    }
    for (const NumberedCondition& operand : condition.operands)
        if (const auto found = open_in(operand, skip)) return found;
    return std::nullopt;
}

std::optional<RuleTruths::Open> RuleTruths::first_open(TreatmentSet treatments, const std::vector<char>& skip) const {
    for (std::size_t i = 0; i < ground_->numbered.rules.size(); ++i) {
        const NumberedRule& rule = ground_->numbered.rules[i];
        if (ignored_[i] || (treatments & ~rule.allowed) == 0) continue;
        if (const auto found = open_in(rule.applies, skip)) return Open{i, *found};
    }
    return std::nullopt;
}

}  // namespace polyrx
