// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/bound_rules.hpp"

#include <algorithm>
#include <bit>

#include "polyrx/rules/half_space_kernel.hpp"

namespace polyrx {
namespace {

// One bit per row: 1 if the condition holds (rules/half_space_kernel.hpp).
using Flags = std::vector<std::uint8_t>;

void unite(Flags& flags, const Flags& others) {
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] |= others[i];
}

void intersect(Flags& flags, const Flags& others) {
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] &= others[i];
}

void mark(const BoundCondition& condition, const InputColumns& columns, Flags& flags) {
    if (condition.kind == BoundCondition::Kind::half_space)
        return mark_half_space(condition.half_space, columns, flags.data());
    const bool all = condition.kind == BoundCondition::Kind::all_of;
    if (condition.operands.empty()) {
        std::fill(flags.begin(), flags.end(), all ? 0xFF : 0);
        return;
    }
    mark(condition.operands.front(), columns, flags);
    Flags each(flags.size());
    for (const BoundCondition& operand : std::span(condition.operands).subspan(1)) {
        mark(operand, columns, each);
        all ? intersect(flags, each) : unite(flags, each);
    }
}

}  // namespace

double HalfSpace::value(const double* row) const {
    double sum = 0;
    for (const Term& term : terms) sum += term.weight * row[term.input];
    return sum + constant;
}

HalfSpace HalfSpace::complement() const {
    HalfSpace other = *this;
    for (Term& term : other.terms) term.weight = -term.weight;
    other.constant = -constant;
    other.strict = !strict;
    return other;
}

AffineFunction HalfSpace::function(Eigen::Index inputs) const {
    AffineFunction function{Vector::Zero(inputs), constant};
    for (const Term& term : terms) function.weights[term.input] += term.weight;
    return function;
}

bool BoundCondition::holds(const double* row) const {
    const auto one_holds = [row](const BoundCondition& operand) { return operand.holds(row); };
    switch (kind) {
        case Kind::half_space:
            return half_space.holds(row);
        case Kind::all_of:
            return std::ranges::all_of(operands, one_holds);
        case Kind::any_of:
            return std::ranges::any_of(operands, one_holds);
    }
    return false;
}

BoundCondition BoundCondition::complement() const {
    BoundCondition other;
    if (kind == Kind::half_space) {
        other.kind = Kind::half_space;
        other.half_space = half_space.complement();
        return other;
    }
    other.kind = kind == Kind::all_of ? Kind::any_of : Kind::all_of;
    for (const BoundCondition& operand : operands) other.operands.push_back(operand.complement());
    return other;
}

void collect_inputs(const BoundCondition& condition, std::vector<Eigen::Index>& inputs) {
    for (const HalfSpace::Term& term : condition.half_space.terms) inputs.push_back(term.input);
    for (const BoundCondition& operand : condition.operands) collect_inputs(operand, inputs);
}

TreatmentSet BoundRules::allowed(const double* row) const {
    TreatmentSet allowed = all_;
    for (const BoundRule& rule : rules_)
        if (rule.applies.holds(row)) allowed &= rule.allowed;
    return allowed;
}

TreatmentSet BoundRules::supported(const double* row) const {
    const TreatmentSet allowed_here = allowed(row);
    TreatmentSet left = allowed_here;
    for (const SupportRule& rule : support_)
        if (has(allowed_here, rule.instead) && has(left, rule.treatment) && rule.applies.holds(row))
            left &= ~only(rule.treatment);
    return left;
}

std::vector<Eigen::Index> BoundRules::asked_inputs() const {
    std::vector<Eigen::Index> inputs;
    for (const BoundRule& rule : rules_) collect_inputs(rule.applies, inputs);
    for (const SupportRule& rule : support_) collect_inputs(rule.applies, inputs);
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
}

std::vector<TreatmentSet> BoundRules::allowed(const Matrix& rows) const {
    return allowed(InputColumns(asked_inputs(), rows));
}

std::vector<TreatmentSet> BoundRules::supported(const Matrix& rows) const {
    return supported(InputColumns(asked_inputs(), rows));
}

std::vector<TreatmentSet> BoundRules::allowed(const InputColumns& columns) const {
    const std::size_t count = columns.rows();
    Flags applies((count + 7) / 8);
    std::vector<Flags> forbidden(static_cast<std::size_t>(std::bit_width(all_)), Flags(applies.size()));
    for (const BoundRule& rule : rules_) {
        mark(rule.applies, columns, applies);
        for (std::size_t k = 0; k < forbidden.size(); ++k)
            if (!has(rule.allowed, static_cast<int>(k))) unite(forbidden[k], applies);
    }
    std::vector<TreatmentSet> allowed(count, all_);
    for (std::size_t k = 0; k < forbidden.size(); ++k) {
        for (std::size_t first = 0; first < count; first += 8) {
            const TreatmentSet here = forbidden[k][first / 8];
            if (here == 0) continue;
            const std::size_t end = std::min(first + 8, count);
            for (std::size_t i = first; i < end; ++i) allowed[i] &= ~((here >> (i - first) & 1) << k);
        }
    }
    return allowed;
}

std::vector<TreatmentSet> BoundRules::supported(const InputColumns& columns) const {
    const std::vector<TreatmentSet> by_rules = allowed(columns);
    std::vector<TreatmentSet> left = by_rules;
    Flags applies((columns.rows() + 7) / 8);
    for (const SupportRule& rule : support_) {
        mark(rule.applies, columns, applies);
        for (std::size_t i = 0; i < left.size(); ++i)
            if ((applies[i / 8] >> (i % 8) & 1) != 0 && has(by_rules[i], rule.instead))
                left[i] &= ~only(rule.treatment);
    }
    return left;
}

}  // namespace polyrx
