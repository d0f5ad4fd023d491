// SPDX-License-Identifier: Apache-2.0
// What proves a statement about a policy: where a condition holds, only treatments of a set T are prescribed.
//
// The policy prescribes, of the treatments that its rules allow for a row, the one with the smallest computed outcome,
// the first of equal ones. So it does not prescribe k where some other treatment j is surely allowed whose computed
// outcome is smaller, or is not larger while j comes before k. It need not be the same j everywhere. A treatment k is
// excluded on a set of rows by weights l_j >= 0, not all 0, of treatments j that are allowed on all of it, and
// multipliers y_i >= 0 of the constraints s_i(x) >= 0 that its rows satisfy:
//
//     max over the box of [ sum_j l_j (f_j - f_k) + sum_i y_i s_i ] + sum_j l_j (e_j + e_k) < 0,
//
// where e bounds the rounding of each outcome in the forward pass. Then sum_j l_j (computed f_j - computed f_k) < 0 for
// every row, and one of its terms must be. (By Farkas' lemma there are such weights wherever no point of the box has
// all f_j >= f_k, if the f are affine.) Where all j come before k, <= 0 is enough.
//
// f is back-substituted through neurons that may be on or off, and bounds of inputs and neurons are proved from
// multipliers, by the rules that certificate.hpp states, with the sum as one function.
//
// The proof is a tree of cases. There are no constraints where it begins; each case adds one, numbered from 0.
//   - A function of the inputs is >= 0, or <= 0: a neuron that is on or off, or an input between two whole numbers.
//   - A comparison of the condition or of a rule holds, or not. Comparisons are numbered as by ComparedSums
//     (rules/compared_sums.hpp), the claim's condition first and then the rules. They are made of sums computed in
//     doubles, so the constraint is s = v + e >= 0 or s = -v + e >= 0, where v is the real sum and e bounds its
//     rounding, 0 if the sign is exact; and s = v - unit >= 0 where v is a multiple of the unit and not 0.
// A sum whose inputs each have one value left in the box has the sign that is computed for it.
//
// Where a case ends, one of these is the case:
//   - no row is left: the bounds of an input or a neuron, or the signs of a sum, contradict each other;
//   - the claim's condition does not hold;
//   - every treatment outside of T is forbidden by a rule that surely applies, or excluded;
//   - the box is a single row, and the policy itself says what it prescribes.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// l_treatment = value > 0. Treatments not named have 0.
struct TreatmentWeight {
    int treatment = 0;
    double value = 0;
    friend bool operator==(const TreatmentWeight&, const TreatmentWeight&) = default;
};

struct Exclusion {
    int treatment = 0;  // k
    std::vector<TreatmentWeight> others;
    std::vector<Multiplier> multipliers;
    friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// Two cases: the comparison holds, or it does not.
struct ComparisonCases {
    int comparison = 0;
    int yes = 0;  // which step proves the case that it holds
    int no = 0;
    friend bool operator==(const ComparisonCases&, const ComparisonCases&) = default;
};

// Bounds hold in all cases below. At most one of the two kinds of cases.
struct ClaimStep {
    std::vector<BoundProof> bounds;
    std::vector<Exclusion> exclusions;
    std::optional<Cases> cases;
    std::optional<ComparisonCases> comparison_cases;
    friend bool operator==(const ClaimStep&, const ClaimStep&) = default;
};

struct ClaimProof {
    std::vector<ClaimStep> steps;  // the first is where the proof begins; each of the others is a case of one before it
    friend bool operator==(const ClaimProof&, const ClaimProof&) = default;
};

}  // namespace polyrx
