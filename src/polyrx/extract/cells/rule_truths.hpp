// SPDX-License-Identifier: Apache-2.0
// Which rules apply on a part of the domain, and what is supported there: on all of its rows, on none, or on some.
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
    // The half-space holds on the side of "yes", or else on that of "no". A row on the hyperplane counts as "no", so
    // that a half-space with its border is its complement's "no".
    bool holds_on_yes = true;
    double guard = 0;
    double margin = 0;   // rows that are sent to a side are so far from the hyperplane: guard minus rounding
    bool whole = false;  // the hyperplane lies between whole numbers, and no row near it
};

// The rules, and what does not change from cell to cell.
struct RuleGround {
    RuleGround(const BoundRules& rules, const Domain& domain, Eigen::Index treatments);

    struct Each {
        HalfSpace half_space;
        AffineFunction sum;   // without the constant
        bool whole = false;   // the sum is a whole number, and computed exactly
        double rounding = 0;  // of computing the half-space's value anywhere in the domain
        RuleSplit split;
    };

    const BoundRules& bound;
    const Domain& domain;
    NumberedRules numbered;
    std::vector<Each> half_spaces;
};

// What is known of the rules on a cell.
class RuleTruths {
public:
    explicit RuleTruths(const RuleGround& ground);

    // Finds out what the cell's bounds and constraints say, and notes the proofs of it.
    void learn(Cell& cell, std::vector<BoundProof>* proofs = nullptr);
    // The same of support, as far as it matters to the proof that `treatment` is prescribed: that it is supported, and
    // that others are not. Comes after learn(), since support is relative to what rules allow.
    void learn_support(Cell& cell, int treatment, std::vector<BoundProof>* proofs = nullptr);
    // Of one rule of support: its truth on the cell.
    Holds learn_support(Cell& cell, const NumberedSupport& rule, std::vector<BoundProof>* proofs = nullptr);

    // Takes a half-space to hold, or not, without proof: for planning.
    void assume(std::size_t half_space, Holds truth) { truths_[half_space] = truth; }
    // As if there were no such rule: for planning.
    void ignore(std::size_t rule) { ignored_[rule] = 1; }

    // Treatments that no rule which surely applies forbids.
    [[nodiscard]] TreatmentSet perhaps_allowed() const { return allowed(Holds::yes, Holds::yes); }
    // Those that no rule which may apply forbids.
    [[nodiscard]] TreatmentSet surely_allowed() const { return allowed(Holds::yes, Holds::perhaps); }
    // Of these, the treatments that may be supported, and those that surely are.
    [[nodiscard]] TreatmentSet perhaps_supported() const;
    [[nodiscard]] TreatmentSet surely_supported() const;
    // The rules that surely apply, if they forbid anything.
    [[nodiscard]] std::vector<int> applying() const;
    // The treatments that may be allowed and are supported for no row.
    [[nodiscard]] std::vector<int> unsupported() const;

    // The first half-space that decides whether one of the treatments is forbidden. `skip` has those not to name.
    struct Open {
        std::size_t rule = 0;
        std::size_t half_space = 0;
    };
    [[nodiscard]] std::optional<Open> first_open(TreatmentSet treatments, const std::vector<char>& skip = {}) const;
    // The first half-space that decides whether one of the treatments is supported.
    [[nodiscard]] std::optional<std::size_t> first_open_support(TreatmentSet treatments,
                                                                const std::vector<char>& skip) const;
    // The first half-space of a condition that is not decided; nothing if the condition is.
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
    std::vector<Holds> truths_;  // by half-space
    std::vector<char> ignored_;  // by rule
};

// sign function - margin: at least 0 on the rows that a split sends to a side.
[[nodiscard]] AffineFunction beyond(const AffineFunction& function, bool yes, double margin);

// Restricts the cell to one side of a half-space's split, and takes the half-space to hold there or not. False if no
// row is there.
[[nodiscard]] bool take_side(const RuleGround& ground, std::size_t half_space, bool yes, Cell& cell,
                             RuleTruths& truths);

}  // namespace polyrx
