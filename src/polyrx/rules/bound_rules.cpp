// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/bound_rules.hpp"

#include <algorithm>

namespace polyrx {
namespace {

// Rows in a column of bytes, 1 where something holds: loops over them have no jumps.
using Flags = std::vector<unsigned char>;

void mark(const HalfSpace& half_space, const Matrix& rows, std::vector<double>& sums, Flags& flags) {
    const auto count = static_cast<std::size_t>(rows.rows());
    const auto stride = static_cast<std::size_t>(rows.cols());
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const HalfSpace::Term& term : half_space.terms) {
        const double* input = rows.data() + term.input;
        for (std::size_t i = 0; i < count; ++i) sums[i] += term.weight * input[i * stride];
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double value = sums[i] + half_space.constant;
        flags[i] = half_space.strict ? value > 0 : value >= 0;
    }
}

void mark(const BoundCondition& condition, const Matrix& rows, std::vector<double>& sums, Flags& flags) {
    if (condition.kind == BoundCondition::Kind::half_space) return mark(condition.half_space, rows, sums, flags);
    const bool all = condition.kind == BoundCondition::Kind::all_of;
    std::fill(flags.begin(), flags.end(), all ? 1 : 0);
    Flags each(flags.size());
    for (const BoundCondition& operand : condition.operands) {
        mark(operand, rows, sums, each);
        if (all)
            for (std::size_t i = 0; i < flags.size(); ++i) flags[i] &= each[i];
        else
            for (std::size_t i = 0; i < flags.size(); ++i) flags[i] |= each[i];
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

TreatmentSet BoundRules::allowed(const double* row) const {
    TreatmentSet allowed = all_;
    for (const BoundRule& rule : rules_)
        if (rule.applies.holds(row)) allowed &= rule.allowed;
    return allowed;
}

std::vector<TreatmentSet> BoundRules::allowed(const Matrix& rows) const {
    const auto count = static_cast<std::size_t>(rows.rows());
    if (count == 0) return {};  // no rows have no address to count from
    std::vector<TreatmentSet> allowed(count, all_);
    std::vector<double> sums(count);
    Flags applies(count);
    for (const BoundRule& rule : rules_) {
        mark(rule.applies, rows, sums, applies);
        // Where it applies, what it allows; elsewhere everything.
        for (std::size_t i = 0; i < count; ++i) allowed[i] &= rule.allowed | (TreatmentSet{applies[i]} - 1);
    }
    return allowed;
}

}  // namespace polyrx
