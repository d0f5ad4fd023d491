// SPDX-License-Identifier: Apache-2.0
// Which rules apply on a part of the domain, and which treatments are supported there: for all rows, none, or some.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/tree/numbered_rules.hpp"

namespace polyrx {

// The split that decides a half-space.
struct RuleSplit {
    AffineFunction function;
    // Whether the half-space is the side "yes" or "no" of the split. Rows on the hyperplane go to "no", so a closed
    // half-space is the "no" of its complement.
    bool holds_on_yes = true;
    double guard = 0;
    double margin = 0;   // minimum distance from the hyperplane of rows sent to a side: guard minus rounding error
    bool whole = false;  // the hyperplane lies between whole numbers, and no row is near it
};

// The rules and other data that all cells share.
struct RuleGround {
    RuleGround(const BoundRules& rules, const Domain& domain, Eigen::Index treatments);

    struct Each {
        HalfSpace half_space;
        AffineFunction sum;   // without the constant
        bool whole = false;   // the sum is a whole number and is computed exactly
        double rounding = 0;  // error of computing the half-space's value anywhere in the domain
        RuleSplit split;
    };

    const BoundRules& bound;
    const Domain& domain;
    NumberedRules numbered;
    std::vector<Each> half_spaces;
};

// What is known about the rules on a cell.
class RuleTruths {
public:
    explicit RuleTruths(const RuleGround& ground);

    // Decides half-spaces by the cell's bounds and constraints, and notes the proofs.
    void learn(Cell& cell, std::vector<BoundProof>* proofs = nullptr);
    // The same for support, as far as it matters to the proof for `treatment`: that it is supported, and that others
    // are not. Call it after learn(), because support is relative to the treatments that rules allow.
    void learn_support(Cell& cell, int treatment, std::vector<BoundProof>* proofs = nullptr);
    // The truth of one support rule on the cell.
    Holds learn_support(Cell& cell, const NumberedSupport& rule, std::vector<BoundProof>* proofs = nullptr);

    // Assumes without proof that a half-space holds or not: for planning.
    void assume(std::size_t half_space, Holds truth) { truths_[half_space] = truth; }
    // Ignores the rule: for planning.
    void ignore(std::size_t rule) { ignored_[rule] = 1; }

    // Treatments without a rule that surely applies and forbids them.
    [[nodiscard]] TreatmentSet perhaps_allowed() const { return allowed(Holds::yes, Holds::yes); }
    // Treatments without a rule that may apply and forbid them.
    [[nodiscard]] TreatmentSet surely_allowed() const { return allowed(Holds::yes, Holds::perhaps); }
    // Among these: treatments that may be supported, and those that surely are.
    [[nodiscard]] TreatmentSet perhaps_supported() const;
    [[nodiscard]] TreatmentSet surely_supported() const;
    // The rules that surely apply and forbid something.
    [[nodiscard]] std::vector<int> applying() const;
    // The treatments that may be allowed but are supported for no row.
    [[nodiscard]] std::vector<int> unsupported() const;

    // The first half-space that decides whether one of the treatments is forbidden, except those in `skip`.
    struct Open {
        std::size_t rule = 0;
        std::size_t half_space = 0;
    };
    [[nodiscard]] std::optional<Open> first_open(TreatmentSet treatments, const std::vector<char>& skip = {}) const;
    // The first half-space that decides whether one of the treatments is supported.
    [[nodiscard]] std::optional<std::size_t> first_open_support(TreatmentSet treatments,
                                                                const std::vector<char>& skip) const;
    // The first undecided half-space of a condition; nothing if the condition is decided.
    [[nodiscard]] std::optional<std::size_t> open_in(const NumberedCondition& condition,
                                                     const std::vector<char>& skip = {}) const;

    [[nodiscard]] const RuleGround& ground() const { return *ground_; }

private:
    [[nodiscard]] TreatmentSet allowed(Holds one, Holds other) const;
    [[nodiscard]] Holds decided(std::size_t half_space, Cell& cell, std::vector<BoundProof>* proofs) const;
    [[nodiscard]] Holds known(const NumberedCondition& condition) const;
    Holds learn(const NumberedCondition& condition, Cell& cell, std::vector<BoundProof>* proofs);
    [[nodiscard]] std::optional<std::size_t> open_half_space(const NumberedCondition& condition,
                                                             const std::vector<char>& skip) const;
    [[nodiscard]] std::size_t open_before(const NumberedCondition& condition, std::size_t place, std::size_t found,
                                          const std::vector<char>& skip) const;

    const RuleGround* ground_;
    std::vector<Holds> truths_;  // per half-space
    std::vector<char> ignored_;  // per rule
};

// sign * function - margin: at least 0 on the rows that a split sends to a side.
[[nodiscard]] AffineFunction beyond(const AffineFunction& function, bool yes, double margin);

// Restricts the cell to one side of a half-space's split, and sets the half-space's truth there. Returns false if no
// row is there.
[[nodiscard]] bool take_side(const RuleGround& ground, std::size_t half_space, bool yes, Cell& cell,
                             RuleTruths& truths);

}  // namespace polyrx
