// SPDX-License-Identifier: Apache-2.0
// Rules in terms of a policy's encoded inputs: which treatments a row may get.
//
// There are two tiers. The user's rules allow some treatments. Of these, support keeps those that rows like this one
// received often enough (docs/support.md). Support is relative to what the rules allow, so it comes second.
//
// A comparison of features is a half-space of the inputs, a category is an input that is 0 or 1, and so is whether a
// cell is missing. So a rule is half-spaces joined by "and" and "or", and nothing else has to be known to obey it, to
// split on it, or to prove it.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/input_columns.hpp"
#include "polyrx/geometry/affine.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

// The rows where a sum of inputs times weights, in the order of the terms, plus a constant is above 0, or at least 0.
struct HalfSpace {
    struct Term {
        Eigen::Index input = 0;
        double weight = 0;
        friend bool operator==(const Term&, const Term&) = default;
    };
    std::vector<Term> terms;
    double constant = 0;
    bool strict = true;  // above 0

    [[nodiscard]] double value(const double* row) const;
    [[nodiscard]] bool holds(const double* row) const { return strict ? value(row) > 0 : value(row) >= 0; }
    // The rows that are not in it.
    [[nodiscard]] HalfSpace complement() const;
    [[nodiscard]] AffineFunction function(Eigen::Index inputs) const;

    friend bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

// Whether something holds for the rows that one thinks of: for none, for all, or that is open.
enum class Holds : char { no, perhaps, yes };

// Either a half-space, or conditions of which all or any must hold: all_of nothing always does, any_of nothing never.
struct BoundCondition {
    enum class Kind { half_space, all_of, any_of };
    Kind kind = Kind::all_of;
    HalfSpace half_space = {};
    std::vector<BoundCondition> operands = {};

    [[nodiscard]] bool holds(const double* row) const;
    [[nodiscard]] BoundCondition complement() const;

    friend bool operator==(const BoundCondition&, const BoundCondition&) = default;
};

// Adds the inputs that a condition is about.
void collect_inputs(const BoundCondition& condition, std::vector<Eigen::Index>& inputs);

struct BoundRule {
    BoundCondition applies;
    TreatmentSet allowed = 0;
};

// The data do not support `treatment` where `instead` is allowed and the condition holds: such rows received `instead`
// that much more often.
struct SupportRule {
    int treatment = 0;
    int instead = 0;
    BoundCondition applies;
};

class BoundRules {
public:
    BoundRules() = default;  // no rules: everything is allowed and supported
    BoundRules(std::vector<BoundRule> rules, std::size_t treatments, std::vector<SupportRule> support = {})
        : rules_(std::move(rules)), support_(std::move(support)), all_(all_treatments(treatments)) {}

    // Neither rules nor support.
    [[nodiscard]] bool empty() const { return rules_.empty() && support_.empty(); }
    [[nodiscard]] const std::vector<BoundRule>& rules() const { return rules_; }
    [[nodiscard]] const std::vector<SupportRule>& support() const { return support_; }
    [[nodiscard]] TreatmentSet all() const { return all_; }

    // What all rules that apply to the row allow; no treatment at all if they contradict each other there.
    [[nodiscard]] TreatmentSet allowed(const double* row) const;
    // Of the allowed treatments, those that are supported: what may be prescribed.
    [[nodiscard]] TreatmentSet supported(const double* row) const;
    // The same for many rows, quickly.
    [[nodiscard]] std::vector<TreatmentSet> allowed(const Matrix& rows) const;
    [[nodiscard]] std::vector<TreatmentSet> supported(const Matrix& rows) const;
    // The columns must have asked_inputs().
    [[nodiscard]] std::vector<TreatmentSet> allowed(const InputColumns& columns) const;
    [[nodiscard]] std::vector<TreatmentSet> supported(const InputColumns& columns) const;

    // Support alone.
    [[nodiscard]] BoundRules without_rules() const {
        BoundRules support = *this;
        support.rules_.clear();
        return support;
    }

    // The inputs in its conditions, in order.
    [[nodiscard]] std::vector<Eigen::Index> asked_inputs() const;

private:
    std::vector<BoundRule> rules_;
    std::vector<SupportRule> support_;
    TreatmentSet all_ = ~TreatmentSet{0};
};

}  // namespace polyrx
