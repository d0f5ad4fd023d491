// SPDX-License-Identifier: Apache-2.0
// A part of the domain behind some constraints, and what is known of the network there.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/extract/budget.hpp"
#include "polyrx/geometry/simplex.hpp"
#include "polyrx/network/relaxation.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// The checker rounds outwards, so what is decided here leaves it room: so many times the rounding errors.
inline constexpr double room_for_rounding = 4;

// The network and what does not change from cell to cell. It must outlive the cells.
struct Ground {
    Ground(const ReluNetwork& network, const Domain& domain, Budget& budget);

    const ReluNetwork& network;
    const Domain& domain;
    Budget& budget;
    Relaxation relaxation;
    std::vector<Vector> errors;  // of the forward pass on the domain, by layer and neuron
};

// A bound, and the multipliers that prove it; none if the box alone does.
struct Bounded {
    double bound = 0;
    std::vector<Multiplier> multipliers;
};

class Cell {
public:
    explicit Cell(const Ground& ground);

    // From here on s(x) >= 0. False if that leaves nothing, and then the cell is good for no more than the proof of it.
    [[nodiscard]] bool constrain(const AffineFunction& s);
    // After constrain() was false: bounds of an input that no number satisfies. Nothing if rounding is in the way.
    [[nodiscard]] std::optional<BoundProof> nothing_left() const;

    // From here on only the outcomes of these treatments are of interest. All are to begin with.
    void compare_only(TreatmentSet treatments) { compared_ = treatments; }
    [[nodiscard]] TreatmentSet compared() const { return compared_; }
    // Which of them the network prefers at a point; no_treatment if there are none.
    [[nodiscard]] int preferred_at(const Vector& point) const;

    // Takes a neuron to be on, or off, without proof: for planning.
    void decide(std::size_t layer, Eigen::Index neuron, bool on);

    // The last constraint says that a neuron is on, or off. Tightening then finds the proof of that, and whatever
    // rounding leaves of the other side, the neuron does not count as undecided again.
    void settle(std::size_t layer, Eigen::Index neuron, bool on);

    // Sharpens the bounds of all neurons that may be on or off, layer after layer, and notes the proofs of those that
    // the box alone does not give.
    void tighten(std::vector<BoundProof>* proofs = nullptr);
    // Sharpens the bounds of the inputs that constraints are about, whole numbers only or all. True if any became
    // better.
    enum class Narrow { whole_numbers, all };
    bool narrow_inputs(Narrow which, std::vector<BoundProof>* proofs = nullptr);
    // The same for the inputs in the last constraint.
    bool narrow_last(std::vector<BoundProof>* proofs = nullptr);
    // Of each group with one member left that can be 1: it is, and the others are 0.
    void settle_groups();
    // Of each missing value: it is what stands for it, or it is not missing.
    void settle_fills(std::vector<BoundProof>* proofs = nullptr);
    // No row is left: between its bounds an input has no whole number.
    [[nodiscard]] bool is_empty() const { return empty_; }
    // The inputs' bounds so far.
    [[nodiscard]] const Domain& box() const { return box_; }
    // An upper bound on the input, or on minus the input; of a whole number a whole number.
    [[nodiscard]] Bounded largest_input(Eigen::Index input, bool upper);
    // Notes such a bound, however little it is. False if it leaves nothing, which is then not noted.
    bool learn_input(Eigen::Index input, bool upper, Bounded found, std::vector<BoundProof>* proofs);

    // An upper bound on an affine function.
    [[nodiscard]] Bounded largest(const AffineFunction& function);

    // An upper bound on f_a - f_b.
    [[nodiscard]] Bounded outcome_gap(int a, int b);
    // An upper bound on any function of a layer.
    [[nodiscard]] Bounded largest(const LayerFunction& function);
    // If no point has every function >= 0: weights l >= 0 of the functions for which sum_j l_j function_j is below 0
    // everywhere (Farkas). Else nothing, and some points where they are are added, the last well inside.
    [[nodiscard]] std::optional<std::vector<double>> weights_against(const std::vector<AffineFunction>& functions,
                                                                     std::vector<Vector>& points) const;
    // Whether such a bound makes the forward pass prefer a to b, whatever it rounds; ties go to the lower index.
    [[nodiscard]] bool proves(int a, int b, double bound) const;

    [[nodiscard]] const std::vector<NeuronBounds>& bounds() const { return bounds_; }
    [[nodiscard]] const Ground& ground() const { return *ground_; }
    // Undecided neurons whose value matters to the next layer, in the first layer that has any.
    struct Undecided {
        std::size_t layer = 0;
        std::vector<Eigen::Index> neurons;
    };
    [[nodiscard]] Undecided undecided() const;
    // Of all layers.
    [[nodiscard]] std::size_t undecided_count() const;
    // A neuron, or the difference of two outcomes, as a function of the inputs, since all layers before are decided. A
    // neuron that is on or off but for a sliver is taken to be so: the function of a split has no relaxation in it.
    [[nodiscard]] AffineFunction function_of(std::size_t layer, Eigen::Index neuron) const;
    [[nodiscard]] AffineFunction difference_of(int a, int b) const;

    // Whether the function takes values on this side of 0 that rounding cannot explain away.
    [[nodiscard]] bool reaches(const AffineFunction& function, Simplex::Sign side);

    // Where the last question was answered.
    [[nodiscard]] Vector vertex() const { return polyhedron_.point(); }
    // The input that is furthest from a whole number there, of those that must be one.
    [[nodiscard]] std::optional<Eigen::Index> fractional_input() const;

    // Whether the row is one of the domain, and in the cell.
    [[nodiscard]] bool has_row(const Vector& row) const;
    // A point of the cell: the mean of the vertices seen.
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
    bool last_is_settled_ = false;   // by the last constraint, and nothing was learned from it yet
    std::vector<char> constrained_;  // by input
    bool empty_ = false;
    TreatmentSet compared_;
    Vector vertex_sum_;
    std::size_t vertices_ = 0;
};

}  // namespace polyrx
