// SPDX-License-Identifier: Apache-2.0
// Certificates: proofs that the network prescribes one treatment on a whole leaf. verify/ replays them.
//
// On the path from the root to a leaf, constraint i (from 0) belongs to split i, with value v(x) = w·x + c: v(x) >= m
// on the "yes" side and -v(x) >= m on the "no" side. Here m = guard - e, where e bounds the rounding error of v in
// double precision on the domain, because a row goes to a side only if the computed value is beyond the guard. Write
// each constraint as s_i(x) >= 0. The rows of a leaf are the rows of the domain with s_i(x) >= 0 for all i.
//
// Weak duality: if g(x) is affine, then for any y_i >= 0
//     g(x) <= max over the box of [ g(x) + sum_i y_i s_i(x) ]   for every row x of the leaf,
// where the box is the domain, narrowed by input bounds proved earlier. (In groups, x_j >= 0 and sum to one, so the
// maximum over a group is its largest coefficient.) A proof is therefore a list of multipliers y. The linear program
// that found them need not be trusted.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"

namespace polyrx {

// y_constraint = value > 0. Omitted constraints have 0.
struct Multiplier {
    int constraint = 0;
    double value = 0;
    friend bool operator==(const Multiplier&, const Multiplier&) = default;
};

// A bound that follows from the multipliers: on an input, a pre-activation, or the sum of a rule's half-space. Bounds
// of whole-number inputs are rounded inwards. A neuron also has the bounds that follow from the box alone by
// back-substitution (relaxation, below); the tighter bounds apply.
//
// Half-spaces are numbered as in numbered_rules.hpp. Their sum excludes the constant. If all terms are whole numbers,
// bounds of the sum are rounded inwards. These bounds and the box decide, in three-valued logic, whether a rule applies
// to all rows, to none, or possibly to some.
struct BoundProof {
    enum class Of { input, neuron, half_space };
    Of of = Of::input;
    int layer = 0;  // of a neuron; 0 is the first hidden layer
    int index = 0;  // of the input, the neuron in its layer, or the half-space
    bool upper = true;
    std::vector<Multiplier> multipliers;
    friend bool operator==(const BoundProof&, const BoundProof&) = default;
};

// Proves that the rival's outcome exceeds that of the leaf's treatment by more than the rounding of the forward pass.
struct ComparisonProof {
    int rival = 0;
    std::vector<Multiplier> multipliers;
    friend bool operator==(const ComparisonProof&, const ComparisonProof&) = default;
};

// Two cases that cover all rows: function >= 0 and function <= 0. Each adds one constraint with m = 0, numbered after
// the existing ones.
struct Cases {
    AffineFunction function;
    int yes = 0;  // the step that proves the case function >= 0
    int no = 0;
    friend bool operator==(const Cases&, const Cases&) = default;
};

// Either proves that the leaf's treatment is prescribed, or splits into two cases. Bounds hold in all cases below.
//
// A treatment is prescribed if no rule that may apply forbids it, and each other treatment is forbidden by a rule that
// certainly applies or has a larger outcome. No treatment is prescribed if rules that certainly apply forbid all.
struct ProofStep {
    std::vector<BoundProof> bounds;  // inputs first, then half-spaces, then neurons, layer after layer
    std::vector<ComparisonProof> comparisons;
    std::optional<Cases> cases;
    friend bool operator==(const ProofStep&, const ProofStep&) = default;
};

// Back-substitution from neurons to inputs. z is the pre-activation, l <= z <= u.
//   - A linear neuron is in the first layer, and its nonzero weights are all on inputs of one group or on a single
//     binary input (a whole number with domain bounds 0 and 1, in no group). It is affine on the rows of the domain:
//     relu(c + sum_j w_j x_j) = sum_j relu(c + w_j) x_j over the group, or relu(c) + (relu(c + w) - relu(c)) x.
//   - u <= 0: the neuron is 0. l >= 0: it is z.
//   - Otherwise, if its coefficient raises the bound (positive in an upper bound, negative in a lower one):
//       relu(z) <= u (z - l) / (u - l).
//     If it lowers the bound: relu(z) >= z if u > -1.07 l, else relu(z) >= 0. Both are valid. With 1 instead of 1.07,
//     the area would be smaller, but bounds are often symmetric, and extract and verify could then round to different
//     sides.
// Layers are replaced from the last to the first.
struct Certificate {
    std::vector<ProofStep> steps;  // the first is the start; each other step is a case of one earlier step
    friend bool operator==(const Certificate&, const Certificate&) = default;
};

}  // namespace polyrx
