// SPDX-License-Identifier: Apache-2.0
// Proofs of claims about a policy: where a condition holds, only treatments in a set T are prescribed.
//
// Among the treatments that rules allow for a row, the policy prescribes the one with the smallest computed outcome;
// ties go to the first. So it does not prescribe k if some other treatment j is certainly allowed and its computed
// outcome is smaller, or not larger with j before k. Different rows may need a different j. A treatment k is excluded
// on a set of rows by two kinds of numbers: weights l_j >= 0, not all 0, of treatments j that are allowed on all of it,
// and multipliers y_i >= 0 of the constraints s_i(x) >= 0 that its rows satisfy, such that
//
//     max over the box of [ sum_j l_j (f_j - f_k) + sum_i y_i s_i ] + sum_j l_j (e_j + e_k) < 0,
//
// where e bounds the rounding of each outcome in the forward pass. Then sum_j l_j (computed f_j - computed f_k) < 0 for
// every row, so one of its terms is negative. (By Farkas' lemma, such weights exist if the f are affine and no point of
// the box has all f_j >= f_k.) If all j come before k, <= 0 suffices.
//
// f is back-substituted through undecided neurons, and bounds of inputs and neurons are proved from multipliers, as
// described in certificate.hpp, with the sum as one function.
//
// The proof is a tree of cases. It starts without constraints. Each case adds one, numbered from 0.
//   - A function of the inputs is >= 0 or <= 0: a neuron is active or not, or an input lies on one side of a gap
//     between whole numbers.
//   - A comparison of the condition or of a rule holds or not. Comparisons are numbered as in ComparedSums
//     (rules/compared_sums.hpp), the claim's condition first and then the rules. They use sums computed in doubles, so
//     the constraint is s = v + e >= 0 or s = -v + e >= 0, where v is the real sum and e bounds its rounding (0 if the
//     sign is exact), or s = v - unit >= 0 if v is a nonzero multiple of the unit.
// If each input of a sum has only one value left in the box, the sum has its computed sign.
//
// A case is closed if one of these holds:
//   - no row is left: the bounds of an input or a neuron, or the signs of a sum, contradict each other;
//   - the claim's condition does not hold;
//   - every treatment outside T is excluded, or forbidden by a rule that certainly applies;
//   - the box is a single row, for which the policy is evaluated.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// l_treatment = value > 0. Omitted treatments have 0.
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

// Two cases: the comparison holds or not.
struct ComparisonCases {
    int comparison = 0;
    int yes = 0;  // the step for the case that it holds
    int no = 0;
    friend bool operator==(const ComparisonCases&, const ComparisonCases&) = default;
};

// Bounds hold in all cases below. A step has at most one of the two kinds of cases.
struct ClaimStep {
    std::vector<BoundProof> bounds;
    std::vector<Exclusion> exclusions;
    std::optional<Cases> cases;
    std::optional<ComparisonCases> comparison_cases;
    friend bool operator==(const ClaimStep&, const ClaimStep&) = default;
};

struct ClaimProof {
    std::vector<ClaimStep> steps;  // the first is the start; each other step is a case of one earlier step
    friend bool operator==(const ClaimProof&, const ClaimProof&) = default;
};

}  // namespace polyrx
