// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/network/forward_error.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Answer = Simplex::Answer;

constexpr double infinity = std::numeric_limits<double>::infinity();
// A cell reaches to a side if it does so by this share of the function's largest term.
constexpr double thinnest = 1e-9;
// The checker rounds outwards, so a comparison that is proved here leaves it room: so many times the rounding errors.
constexpr double room_for_rounding = 4;

}  // namespace

Ground::Ground(const ReluNetwork& of_network, const Domain& of_domain, Budget& of_budget)
    : network(of_network),
      domain(of_domain),
      budget(of_budget),
      relaxation(of_network, of_domain),
      errors(forward_errors(of_network, magnitudes(of_domain))) {}

Cell::Cell(const Ground& ground)
    : ground_(&ground),
      box_(ground.domain),
      polyhedron_(ground.domain),
      constrained_(static_cast<std::size_t>(box_.inputs())),
      vertex_sum_(Vector::Zero(box_.inputs())) {
    note_vertex();
    for (std::size_t layer = 0; layer < ground.relaxation.hidden_layers(); ++layer) {
        const Eigen::Index neurons = ground.network.layers()[layer].bias.size();
        bounds_.push_back({Vector::Constant(neurons, -infinity), Vector::Constant(neurons, infinity)});
    }
}

void Cell::note_vertex() {
    vertex_sum_ += polyhedron_.point();
    ++vertices_;
}

bool Cell::constrain(const AffineFunction& s) {
    const int row = polyhedron_.add(s);
    if (polyhedron_.value(row) < 0) {
        ground_->budget.spend_linear_program();
        polyhedron_.push(row, Sign::positive, 0);
        if (polyhedron_.value(row) < 0) return false;
    }
    polyhedron_.require(row, Sign::positive);
    constraints_.push_back(s);
    for (Eigen::Index input = 0; input < box_.inputs(); ++input)
        if (s.weights[input] != 0) constrained_[static_cast<std::size_t>(input)] = 1;
    vertex_sum_.setZero();
    vertices_ = 0;
    note_vertex();
    return true;
}

void Cell::decide(std::size_t layer, Eigen::Index neuron, bool on) {
    if (on)
        bounds_[layer].lower[neuron] = std::max(bounds_[layer].lower[neuron], 0.0);
    else
        bounds_[layer].upper[neuron] = std::min(bounds_[layer].upper[neuron], 0.0);
}

Bounded Cell::largest(const AffineFunction& function) {
    Bounded result{maximum(box_, function), {}};
    if (constraints_.empty()) return result;
    ground_->budget.spend_linear_program();
    const int row = polyhedron_.add(function);
    const Answer answer = polyhedron_.push(row, Sign::positive, infinity);
    if (answer == Answer::optimal) {
        AffineFunction lagrangian = function;
        std::vector<Multiplier> multipliers;
        for (const auto& [constraint, y] : polyhedron_.multipliers(row, Sign::positive)) {
            const AffineFunction& s = constraints_[static_cast<std::size_t>(constraint)];
            lagrangian.weights += y * s.weights;
            lagrangian.constant += y * s.constant;
            multipliers.push_back({constraint, y});
        }
        // Only a bound that is better by more than rounding is worth the words.
        const double bound = maximum(box_, lagrangian);
        if (bound < result.bound - 1e-12 * (std::abs(result.bound) + std::abs(bound)))
            result = {bound, std::move(multipliers)};
    }
    note_vertex();
    polyhedron_.drop_last();
    return result;
}

void Cell::tighten(std::vector<BoundProof>* proofs) {
    const Relaxation& relaxation = ground_->relaxation;
    for (std::size_t layer = 0; layer < bounds_.size(); ++layer) {
        NeuronBounds& known = bounds_[layer];
        const NeuronBounds plain = interval_bounds(ground_->network, box_, layer, bounds_);
        known.lower = known.lower.cwiseMax(plain.lower);
        known.upper = known.upper.cwiseMin(plain.upper);
        for (Eigen::Index i = 0; i < known.lower.size(); ++i) {
            if (relaxation.is_linear(layer, i) || !matters(layer, i)) continue;
            for (const bool upper : {true, false}) {
                if (known.lower[i] >= 0 || known.upper[i] <= 0) break;
                LayerFunction function = relaxation.neuron(layer, i);
                if (!upper) function = -function;
                Bounded found = largest(relaxation.above(std::move(function), bounds_));
                double& bound = upper ? known.upper[i] : known.lower[i];
                const bool better = upper ? found.bound < bound : -found.bound > bound;
                if (!better) continue;
                bound = upper ? found.bound : -found.bound;
                if (proofs && !found.multipliers.empty())
                    proofs->push_back({BoundProof::Of::neuron, static_cast<int>(layer), static_cast<int>(i), upper,
                                       std::move(found.multipliers)});
            }
        }
    }
}

// The bound, as the checker will see it: of a whole number it is rounded inwards, unless it is so near to one that the
// checker's own rounding might see it on the other side.
Bounded Cell::largest_input(Eigen::Index input, bool upper) {
    AffineFunction function{Vector::Zero(box_.inputs()), 0};
    function.weights[input] = upper ? 1 : -1;
    Bounded found = largest(function);
    if (box_.integer[static_cast<std::size_t>(input)]) found.bound = std::floor(found.bound + 1e-7);
    return found;
}

bool Cell::narrow_input(Eigen::Index input, bool upper, std::vector<BoundProof>* proofs) {
    const double known = upper ? box_.upper[input] : -box_.lower[input];
    Bounded found = largest_input(input, upper);
    // What the box and the groups say anyway has no multipliers, and a little is not worth the words.
    if (found.multipliers.empty() || known - found.bound <= 0.001 * (box_.upper[input] - box_.lower[input]))
        return false;
    const auto note = [&](bool of_upper, Bounded& bounded) {
        (of_upper ? box_.upper : box_.lower)[input] = of_upper ? bounded.bound : -bounded.bound;
        if (proofs)
            proofs->push_back(
                {BoundProof::Of::input, 0, static_cast<int>(input), of_upper, std::move(bounded.multipliers)});
    };
    const double bound = upper ? found.bound : -found.bound;
    if (!polyhedron_.narrow(input, upper ? Sign::negative : Sign::positive, bound)) {
        // The polyhedron lies between two whole numbers, so the bound on its other side crosses this one.
        Bounded other = largest_input(input, !upper);
        empty_ = found.bound < -other.bound;
        if (!empty_) return false;
        note(!upper, other);
    }
    note(upper, found);
    return true;
}

bool Cell::narrow_inputs(Narrow which, std::vector<BoundProof>* proofs) {
    bool any = false;
    for (Eigen::Index input = 0; input < box_.inputs() && !empty_; ++input) {
        const auto index = static_cast<std::size_t>(input);
        if (!constrained_[index] || (which == Narrow::whole_numbers && !box_.integer[index])) continue;
        for (const bool upper : {true, false})
            if (!empty_ && box_.lower[input] < box_.upper[input]) any = narrow_input(input, upper, proofs) || any;
    }
    return any;
}

std::optional<Eigen::Index> Cell::fractional_input() const {
    const Vector at = vertex();
    std::optional<Eigen::Index> furthest;
    double most = 1e-6;  // less is rounding
    for (Eigen::Index input = 0; input < at.size(); ++input) {
        const double distance = std::abs(at[input] - std::round(at[input]));
        if (!box_.integer[static_cast<std::size_t>(input)] || distance <= most) continue;
        most = distance;
        furthest = input;
    }
    return furthest;
}

Bounded Cell::outcome_gap(int a, int b) {
    return largest(ground_->relaxation.above(ground_->relaxation.outcome_difference(a, b), bounds_));
}

bool Cell::proves(int a, int b, double bound) const {
    const Layer& output = ground_->network.layers().back();
    // Neurons that are computed as 0 add nothing, not even an error. And rounding never swaps two sums whose terms are
    // in order, one by one: if a's are nowhere above b's, neither is its outcome, and ties go to the lower index.
    const Eigen::Index width = output.weights.cols();
    const bool hidden = !bounds_.empty();  // what comes in is then never below 0
    bool none_alive = hidden;
    bool in_order = output.bias[a] <= output.bias[b];
    for (Eigen::Index i = 0; i < width; ++i) {
        if (hidden && bounds_.back().upper[i] <= -2 * ground_->errors[bounds_.size() - 1][i]) continue;
        none_alive = false;
        const double ours = output.weights(a, i);
        const double theirs = output.weights(b, i);
        in_order = in_order && (hidden ? ours <= theirs : ours == theirs);
    }
    if (in_order && a < b) return true;
    if (none_alive) return output.bias[a] < output.bias[b];
    const Vector& errors = ground_->errors.back();
    return bound <= -room_for_rounding * (errors[a] + errors[b]);
}

bool Cell::matters(std::size_t layer, Eigen::Index neuron) const {
    const Layer& next = ground_->network.layers()[layer + 1];
    if (layer + 1 < bounds_.size()) return (next.weights.col(neuron).array() != 0).any();
    return (next.weights.col(neuron).array() != next.weights(0, neuron)).any();
}

bool Cell::is_undecided(std::size_t layer, Eigen::Index neuron) const {
    const double low = bounds_[layer].lower[neuron];
    const double high = bounds_[layer].upper[neuron];
    // One that is on or off but for a sliver is left to the relaxation: a split there would have nothing on one side.
    return low < -thinnest * high && high > -thinnest * low && matters(layer, neuron) &&
           !ground_->relaxation.is_linear(layer, neuron);
}

Cell::Undecided Cell::undecided() const {
    for (std::size_t layer = 0; layer < bounds_.size(); ++layer) {
        Undecided result{layer, {}};
        for (Eigen::Index i = 0; i < bounds_[layer].lower.size(); ++i)
            if (is_undecided(layer, i)) result.neurons.push_back(i);
        if (!result.neurons.empty()) return result;
    }
    return {bounds_.size(), {}};
}

std::size_t Cell::undecided_count() const {
    std::size_t count = 0;
    for (std::size_t layer = 0; layer < bounds_.size(); ++layer)
        for (Eigen::Index i = 0; i < bounds_[layer].lower.size(); ++i) count += is_undecided(layer, i) ? 1 : 0;
    return count;
}

AffineFunction Cell::function_of(std::size_t layer, Eigen::Index neuron) const {
    return ground_->relaxation.above(ground_->relaxation.neuron(layer, neuron), bounds_);
}

AffineFunction Cell::difference_of(int a, int b) const {
    return ground_->relaxation.above(ground_->relaxation.outcome_difference(a, b), bounds_);
}

bool Cell::reaches(const AffineFunction& function, Simplex::Sign side) {
    ground_->budget.spend_linear_program();
    const int row = polyhedron_.add(function);
    const bool does = polyhedron_.push(row, side, thinnest * polyhedron_.scale(row)) == Answer::exceeds;
    note_vertex();
    polyhedron_.drop_last();
    return does;
}

}  // namespace polyrx
