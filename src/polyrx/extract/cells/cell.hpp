// SPDX-License-Identifier: Apache-2.0
// A cell: the part of the domain that satisfies some constraints, with bounds on the network there.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/extract/budget.hpp"
#include "polyrx/geometry/simplex.hpp"
#include "polyrx/network/relaxation.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// Decisions keep this multiple of the rounding errors as margin, because the checker rounds outward.
inline constexpr double room_for_rounding = 4;

// The network and other data that all cells share. It must outlive the cells.
struct Ground {
    Ground(const ReluNetwork& network, const Domain& domain, Budget& budget);

    const ReluNetwork& network;
    const Domain& domain;
    Budget& budget;
    Relaxation relaxation;
    std::vector<Vector> errors;  // of the forward pass on the domain, by layer and neuron
};

// A bound and the multipliers that prove it; no multipliers if the box alone proves it.
struct Bounded {
    double bound = 0;
    std::vector<Multiplier> multipliers;
};

class Cell {
public:
    explicit Cell(const Ground& ground);

    // Adds the constraint s(x) >= 0. Returns false if the cell is then empty; it can then only be used to prove that.
    [[nodiscard]] bool constrain(const AffineFunction& s);
    // After constrain() returned false: contradictory bounds of an input. Empty if rounding errors prevent the proof.
    [[nodiscard]] std::optional<BoundProof> nothing_left() const;

    // Restricts comparisons to the outcomes of these treatments. The default is all.
    void compare_only(TreatmentSet treatments) { compared_ = treatments; }
    [[nodiscard]] TreatmentSet compared() const { return compared_; }
    // The compared treatment that the network prefers at a point; no_treatment if none is compared.
    [[nodiscard]] int preferred_at(const Vector& point) const;

    // Assumes without proof that a neuron is on or off: for planning.
    void decide(std::size_t layer, Eigen::Index neuron, bool on);

    // Declares that the last constraint decides a neuron. Tightening then finds the proof. The neuron no longer counts
    // as undecided, even if rounding leaves a remainder of the other side.
    void settle(std::size_t layer, Eigen::Index neuron, bool on);

    // Sharpens the bounds of all undecided neurons, layer by layer. Notes the proofs of bounds that the box alone does
    // not give.
    void tighten(std::vector<BoundProof>* proofs = nullptr);
    // Sharpens the bounds of constrained inputs: whole numbers only, or all. Returns whether any bound improved.
    enum class Narrow { whole_numbers, all };
    bool narrow_inputs(Narrow which, std::vector<BoundProof>* proofs = nullptr);
    // The same for the inputs of the last constraint.
    bool narrow_last(std::vector<BoundProof>* proofs = nullptr);
    // If only one member of a group can be 1, sets it to 1 and the others to 0.
    void settle_groups();
    // For each fill: sets a missing value to its fill value, or excludes that it is missing.
    void settle_fills(std::vector<BoundProof>* proofs = nullptr);
    // No row is left: an input has no whole number between its bounds.
    [[nodiscard]] bool is_empty() const { return empty_; }
    // The current bounds of the inputs.
    [[nodiscard]] const Domain& box() const { return box_; }
    // An upper bound on the input or its negative; for whole-number inputs, a whole number.
    [[nodiscard]] Bounded largest_input(Eigen::Index input, bool upper);
    // Notes such a bound, however small the improvement. Returns false, and notes nothing, if the cell becomes empty.
    bool learn_input(Eigen::Index input, bool upper, Bounded found, std::vector<BoundProof>* proofs);

    // An upper bound on an affine function.
    [[nodiscard]] Bounded largest(const AffineFunction& function);

    // An upper bound on f_a - f_b.
    [[nodiscard]] Bounded outcome_gap(int a, int b);
    // An upper bound on a function of a layer.
    [[nodiscard]] Bounded largest(const LayerFunction& function);
    // If no point has every function >= 0: returns weights l >= 0 such that sum_j l_j function_j is below 0 everywhere
    // (Farkas). Otherwise returns nothing and adds some points where all are >= 0; the last is well inside.
    [[nodiscard]] std::optional<std::vector<double>> weights_against(const std::vector<AffineFunction>& functions,
                                                                     std::vector<Vector>& points) const;
    // Whether this bound proves that the forward pass prefers a to b, despite rounding. Ties go to the lower index.
    [[nodiscard]] bool proves(int a, int b, double bound) const;

    [[nodiscard]] const std::vector<NeuronBounds>& bounds() const { return bounds_; }
    [[nodiscard]] const Ground& ground() const { return *ground_; }
    // Undecided neurons that affect the next layer, in the first layer that has any.
    struct Undecided {
        std::size_t layer = 0;
        std::vector<Eigen::Index> neurons;
    };
    [[nodiscard]] Undecided undecided() const;
    // In all layers.
    [[nodiscard]] std::size_t undecided_count() const;
    // A neuron, or the difference of two outcomes, as a function of the inputs. All layers before must be decided.
    // Neurons that are on or off except for a sliver count as decided, so that splits contain no relaxation.
    [[nodiscard]] AffineFunction function_of(std::size_t layer, Eigen::Index neuron) const;
    [[nodiscard]] AffineFunction difference_of(int a, int b) const;

    // Whether the function takes values on this side of 0 beyond rounding errors.
    [[nodiscard]] bool reaches(const AffineFunction& function, Simplex::Sign side);

    // The solution of the last linear program.
    [[nodiscard]] Vector vertex() const { return polyhedron_.point(); }
    // The whole-number input whose value there is furthest from a whole number.
    [[nodiscard]] std::optional<Eigen::Index> fractional_input() const;

    // Whether the row lies in the domain and in the cell.
    [[nodiscard]] bool has_row(const Vector& row) const;
    // A point of the cell: the mean of the visited vertices.
    [[nodiscard]] Vector center() const { return vertex_sum_ / static_cast<double>(vertices_); }

private:
    struct Settled {
        std::size_t layer;
        Eigen::Index neuron;
        bool on;
    };

    void learn(std::size_t layer, Eigen::Index neuron, bool upper, Bounded found, std::vector<BoundProof>* proofs);
    void learn_settled(std::vector<BoundProof>* proofs);
    [[nodiscard]] AffineFunction upwards(std::size_t layer, Eigen::Index neuron, bool upper) const;
    [[nodiscard]] std::vector<NeuronBounds> without_slivers() const;
    bool narrow_input(Eigen::Index input, bool upper, std::vector<BoundProof>* proofs);
    void note_vertex();
    [[nodiscard]] bool matters(std::size_t layer, Eigen::Index neuron) const;
    [[nodiscard]] bool is_undecided(std::size_t layer, Eigen::Index neuron) const;

    const Ground* ground_;
    Domain box_;
    Simplex polyhedron_;
    std::vector<AffineFunction> constraints_;
    std::vector<NeuronBounds> bounds_;
    std::vector<Settled> settled_;
    bool last_is_settled_ = false;   // the last constraint decides a neuron, and tightening has not used it yet
    std::vector<char> constrained_;  // per input
    bool empty_ = false;
    TreatmentSet compared_;
    Vector vertex_sum_;
    std::size_t vertices_ = 0;
};

}  // namespace polyrx
