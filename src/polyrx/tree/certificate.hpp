// SPDX-License-Identifier: Apache-2.0
// What proves that the network prescribes one treatment on all of a leaf. verify/ replays it.
//
// On the way from the root to a leaf, constraint number i (from 0) says of the i-th split, with value v(x) = w·x + c:
// v(x) >= m on the "yes" side and -v(x) >= m on the "no" side. Here m = guard - e, where e bounds the rounding error of
// computing v in double precision for any row of the domain: a row goes to a side only if the computed value is beyond
// the guard. Write each constraint as s_i(x) >= 0. A leaf's rows are the rows of the domain with s_i(x) >= 0 for all i.
//
// Weak duality: if g(x) is affine, then for any y_i >= 0
//     g(x) <= max over the box of [ g(x) + sum_i y_i s_i(x) ]   for every row x of the leaf,
// where the box is the domain (groups: x_j >= 0 that sum to one, so the maximum over a group is its largest
// coefficient) narrowed by the bounds of inputs that were proved before. So a proof is a list of multipliers y; nobody
// has to believe the linear program that found them.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"

namespace polyrx {

// y_constraint = value > 0. Constraints not named have 0.
struct Multiplier {
    int constraint = 0;
    double value = 0;
    friend bool operator==(const Multiplier&, const Multiplier&) = default;
};

// A bound on an input, on a neuron's value before its ReLU, or on the sum of a rule's half-space: whatever follows from
// the multipliers. The bound of a whole-number input is rounded inwards. Before its multipliers are looked at, a neuron
// has the bounds that follow from the box alone, by back-substitution (relaxation, below); the tighter one counts.
//
// Half-spaces are numbered as numbered_rules.hpp says. Their sum is that of the terms without the constant; where all
// terms are whole numbers, so is the sum, and its bounds are rounded inwards. Whether rules apply on all rows, on none,
// or perhaps on some then follows, with three truth values, from these bounds and from the box.
struct BoundProof {
    enum class Of { input, neuron, half_space };
    Of of = Of::input;
    int layer = 0;  // of a neuron, 0 is the first hidden layer
    int index = 0;  // the input, the neuron in its layer, or the half-space
    bool upper = true;
    std::vector<Multiplier> multipliers;
    friend bool operator==(const BoundProof&, const BoundProof&) = default;
};

// The rival's outcome is larger than that of the leaf's treatment, by more than the rounding of the forward pass.
struct ComparisonProof {
    int rival = 0;
    std::vector<Multiplier> multipliers;
    friend bool operator==(const ComparisonProof&, const ComparisonProof&) = default;
};

// Two cases that cover all rows: function >= 0, and function <= 0. Each adds one constraint, with m = 0, numbered on
// from those there are.
struct Cases {
    AffineFunction function;
    int yes = 0;  // which step of the certificate proves the case function >= 0
    int no = 0;
    friend bool operator==(const Cases&, const Cases&) = default;
};

// Either shows the leaf's treatment to be prescribed, or distinguishes two cases. Bounds hold in all cases below.
//
// A treatment is prescribed if no rule that may apply forbids it, and every other one either is forbidden by a rule
// that surely applies or has a larger outcome. No treatment is, if those that surely apply forbid them all.
struct ProofStep {
    std::vector<BoundProof> bounds;  // inputs first, then half-spaces, then neurons, layer after layer
    std::vector<ComparisonProof> comparisons;
    std::optional<Cases> cases;
    friend bool operator==(const ProofStep&, const ProofStep&) = default;
};

// How affine functions of neurons become affine functions of the inputs. z is the value before the ReLU, l <= z <= u.
//   - A linear neuron is one of the first layer whose nonzero weights all lie on inputs of one group, or on a single
//     binary input (a whole number with domain bounds 0 and 1, in no group). It is affine on the rows of the domain:
//     relu(c + sum_j w_j x_j) = sum_j relu(c + w_j) x_j over the group, or relu(c) + (relu(c + w) - relu(c)) x.
//   - u <= 0: the neuron is 0. l >= 0: it is z.
//   - else, where its coefficient raises the bound (positive in an upper bound, negative in a lower one):
//       relu(z) <= u (z - l) / (u - l)
//     and where it lowers it: relu(z) >= z if u > -1.07 l, else relu(z) >= 0. (Either is true. The triangle is smaller
//     if 1 stands for 1.07, but bounds are often symmetric, and then maker and checker would round to different sides.)
// Layer after layer, from the last to the first.
struct Certificate {
    std::vector<ProofStep> steps;  // the first is where the proof begins; each of the others is a case of one step
    friend bool operator==(const Certificate&, const Certificate&) = default;
};

}  // namespace polyrx
