// SPDX-License-Identifier: Apache-2.0
// Rules in terms of a policy's encoded inputs: which treatments a row may receive.
//
// There are two tiers. The user's rules allow some treatments. Of these, support keeps those that similar rows received
// often enough (docs/support.md). Support is relative to what the rules allow, so it comes second.
//
// A comparison of features is a half-space of the inputs. Categories and missing cells are 0/1 inputs. A rule is thus a
// set of half-spaces joined by "and" and "or". Evaluating, splitting and proving need nothing else.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/input_columns.hpp"
#include "polyrx/geometry/affine.hpp"
#include "polyrx/study/treatment_set.hpp"

namespace polyrx {

// The rows where a weighted sum of inputs, in the order of the terms, plus a constant is above 0 (or at least 0).
struct HalfSpace {
    struct Term {
        Eigen::Index input = 0;
        double weight = 0;
        friend bool operator==(const Term&, const Term&) = default;
    };
    std::vector<Term> terms;
    double constant = 0;
    bool strict = true;  // above 0, not at least 0

    [[nodiscard]] double value(const double* row) const;
    [[nodiscard]] bool holds(const double* row) const { return strict ? value(row) > 0 : value(row) >= 0; }
    // The rows outside the half-space.
    [[nodiscard]] HalfSpace complement() const;
    [[nodiscard]] AffineFunction function(Eigen::Index inputs) const;

    friend bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

// Whether a condition holds on a set of rows: for no row, for all, or undecided.
enum class Holds : char { no, perhaps, yes };

// A half-space, or a list of conditions of which all or any must hold. An empty all_of is true, an empty any_of false.
struct BoundCondition {
    enum class Kind { half_space, all_of, any_of };
    Kind kind = Kind::all_of;
    HalfSpace half_space = {};
    std::vector<BoundCondition> operands = {};

    [[nodiscard]] bool holds(const double* row) const;
    [[nodiscard]] BoundCondition complement() const;

    friend bool operator==(const BoundCondition&, const BoundCondition&) = default;
};

// Adds the inputs that a condition uses.
void collect_inputs(const BoundCondition& condition, std::vector<Eigen::Index>& inputs);

struct BoundRule {
    BoundCondition applies;
    TreatmentSet allowed = 0;
};

// If `instead` is allowed and the condition holds, the data do not support `treatment`, because such rows received
// `instead` much more often.
struct SupportRule {
    int treatment = 0;
    int instead = 0;
    BoundCondition applies;
};

class BoundRules {
public:
    BoundRules() = default;  // everything is allowed and supported
    BoundRules(std::vector<BoundRule> rules, std::size_t treatments, std::vector<SupportRule> support = {})
        : rules_(std::move(rules)), support_(std::move(support)), all_(all_treatments(treatments)) {}

    // No rules and no support.
    [[nodiscard]] bool empty() const { return rules_.empty() && support_.empty(); }
    [[nodiscard]] const std::vector<BoundRule>& rules() const { return rules_; }
    [[nodiscard]] const std::vector<SupportRule>& support() const { return support_; }
    [[nodiscard]] TreatmentSet all() const { return all_; }

    // The treatments that all applicable rules allow; empty if the rules contradict each other for the row.
    [[nodiscard]] TreatmentSet allowed(const double* row) const;
    // The allowed treatments that are supported and may thus be prescribed.
    [[nodiscard]] TreatmentSet supported(const double* row) const;
    // Fast versions for many rows.
    [[nodiscard]] std::vector<TreatmentSet> allowed(const Matrix& rows) const;
    [[nodiscard]] std::vector<TreatmentSet> supported(const Matrix& rows) const;
    // The columns must have asked_inputs().
    [[nodiscard]] std::vector<TreatmentSet> allowed(const InputColumns& columns) const;
    [[nodiscard]] std::vector<TreatmentSet> supported(const InputColumns& columns) const;

    // Support only.
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
