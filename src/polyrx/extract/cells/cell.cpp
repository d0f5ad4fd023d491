// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/cell.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/infinity.hpp"
#include "polyrx/network/forward_error.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Answer = Simplex::Answer;

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
      compared_(all_treatments(static_cast<std::size_t>(ground.network.outputs()))),
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
        if (polyhedron_.value(row) < 0) {
            constraints_.push_back(s);
            return false;
        }
    }
    polyhedron_.require(row, Sign::positive);
    constraints_.push_back(s);
    last_is_settled_ = false;
    for (Eigen::Index input = 0; input < box_.inputs(); ++input)
        if (s.weights[input] != 0) constrained_[static_cast<std::size_t>(input)] = 1;
    vertex_sum_.setZero();
    vertices_ = 0;
    note_vertex();
    return true;
}

std::optional<BoundProof> Cell::nothing_left() const {
    // On the whole box, s <= s + sum y_i s_i < 0, so x_j <= x_j + t (s + sum y_i s_i). For a large enough t, this upper
    // bound on x_j is below its lower bound.
    const int last = static_cast<int>(constraints_.size()) - 1;
    BoundProof proof{BoundProof::Of::input, 0, 0, true, {}};
    AffineFunction lagrangian = constraints_.back();
    double rounding = rounding_bound(lagrangian, ground_->domain);
    for (const auto& [constraint, y] : polyhedron_.multipliers(last, Sign::positive)) {
        const AffineFunction& s = constraints_[static_cast<std::size_t>(constraint)];
        lagrangian.weights += y * s.weights;
        lagrangian.constant += y * s.constant;
        rounding += y * rounding_bound(s, ground_->domain);
        proof.multipliers.push_back({constraint, y});
    }
    proof.multipliers.push_back({last, 1});
    const double most = maximum(box_, lagrangian) + room_for_rounding * rounding;
    const Vector ranges = box_.upper - box_.lower;
    Eigen::Index input = 0;
    while (input < ranges.size() && !std::isfinite(ranges[input])) ++input;
    if (!(most < 0) || input == ranges.size()) return std::nullopt;
    proof.index = static_cast<int>(input);
    for (Multiplier& multiplier : proof.multipliers) {
        multiplier.value *= (2 * ranges[input] + 1) / -most;
        if (!std::isfinite(multiplier.value)) return std::nullopt;
    }
    return proof;
}

int Cell::preferred_at(const Vector& point) const {
    return best_of(compared_, forward(ground_->network, point.transpose()).row(0));
}

void Cell::decide(std::size_t layer, Eigen::Index neuron, bool on) {
    if (on)
        bounds_[layer].lower[neuron] = std::max(bounds_[layer].lower[neuron], 0.0);
    else
        bounds_[layer].upper[neuron] = std::min(bounds_[layer].upper[neuron], 0.0);
}

void Cell::settle(std::size_t layer, Eigen::Index neuron, bool on) {
    settled_.push_back({layer, neuron, on});
    last_is_settled_ = true;
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
        // Notes only bounds that improve by more than rounding errors.
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
        if (last_is_settled_ && settled_.back().layer == layer) learn_settled(proofs);
        for (Eigen::Index i = 0; i < known.lower.size(); ++i) {
            if (relaxation.is_linear(layer, i) || !matters(layer, i)) continue;
            for (const bool upper : {true, false}) {
                if (known.lower[i] >= 0 || known.upper[i] <= 0) break;
                learn(layer, i, upper, largest(upwards(layer, i, upper)), proofs);
            }
        }
    }
    last_is_settled_ = false;
}

// The neuron or its negative; an upper bound on it if layers before are undecided.
AffineFunction Cell::upwards(std::size_t layer, Eigen::Index neuron, bool upper) const {
    const LayerFunction function = ground_->relaxation.neuron(layer, neuron);
    return ground_->relaxation.above(upper ? function : -function, bounds_);
}

void Cell::learn(std::size_t layer, Eigen::Index neuron, bool upper, Bounded found, std::vector<BoundProof>* proofs) {
    double& bound = upper ? bounds_[layer].upper[neuron] : bounds_[layer].lower[neuron];
    const bool better = upper ? found.bound < bound : -found.bound > bound;
    if (!better) return;
    bound = upper ? found.bound : -found.bound;
    if (proofs && !found.multipliers.empty())
        proofs->push_back({BoundProof::Of::neuron, static_cast<int>(layer), static_cast<int>(neuron), upper,
                           std::move(found.multipliers)});
}

void Cell::learn_settled(std::vector<BoundProof>* proofs) {
    const auto& [layer, neuron, on] = settled_.back();
    AffineFunction lagrangian = upwards(layer, neuron, !on);
    lagrangian.weights += constraints_.back().weights;
    lagrangian.constant += constraints_.back().constant;
    const int constraint = static_cast<int>(constraints_.size()) - 1;
    learn(layer, neuron, !on, {maximum(box_, lagrangian), {{constraint, 1.0}}}, proofs);
}

Bounded Cell::outcome_gap(int a, int b) {
    return largest(ground_->relaxation.above(ground_->relaxation.outcome_difference(a, b), bounds_));
}

Bounded Cell::largest(const LayerFunction& function) {
    return largest(ground_->relaxation.above(function, bounds_));
}

std::optional<std::vector<double>> Cell::weights_against(const std::vector<AffineFunction>& functions,
                                                         std::vector<Vector>& points) const {
    Simplex trial = polyhedron_;
    const int first = trial.rows();
    for (const AffineFunction& function : functions) {
        ground_->budget.spend_linear_program();
        const int row = trial.add(function);
        if (trial.value(row) < 0 && trial.push(row, Sign::positive, 0) == Answer::optimal && trial.value(row) < 0) {
            std::vector<double> weights(functions.size());
            weights[static_cast<std::size_t>(row - first)] = 1;
            for (const auto& [other, value] : trial.multipliers(row, Sign::positive))
                if (other >= first) weights[static_cast<std::size_t>(other - first)] += value;
            return weights;
        }
        trial.require(row, Sign::positive);
    }
    points.push_back(trial.point());
    Vector sum = points.back();
    for (int row = first; row < trial.rows(); ++row) {
        ground_->budget.spend_linear_program();
        trial.push(row, Sign::positive, infinity);
        points.push_back(trial.point());
        sum += points.back();
    }
    points.emplace_back(sum / static_cast<double>(functions.size() + 1));
    return std::nullopt;
}

bool Cell::proves(int a, int b, double bound) const {
    const Layer& output = ground_->network.layers().back();
    const bool hidden = !bounds_.empty();
    // Both outcomes are summed in the same order, and rounding is monotone: if no term of a is above that of b, neither
    // is the sum. ReLU values are nonnegative, and terms that are computed as 0 do not count.
    bool none_alive = hidden;
    bool never_above = output.bias[a] <= output.bias[b];
    for (Eigen::Index i = 0; i < output.weights.cols(); ++i) {
        if (hidden && bounds_.back().upper[i] <= -2 * ground_->errors[bounds_.size() - 1][i]) continue;
        none_alive = false;
        never_above = never_above && (hidden ? output.weights(a, i) <= output.weights(b, i)
                                             : output.weights(a, i) == output.weights(b, i));
    }
    if (none_alive && output.bias[a] < output.bias[b]) return true;
    if (never_above && a < b) return true;
    const Vector& errors = ground_->errors.back();
    return bound <= -room_for_rounding * (errors[a] + errors[b]);
}

bool Cell::matters(std::size_t layer, Eigen::Index neuron) const {
    const Layer& next = ground_->network.layers()[layer + 1];
    if (layer + 1 < bounds_.size()) return (next.weights.col(neuron).array() != 0).any();
    // The weight, if the neuron changes the difference of any two compared outcomes.
    std::optional<double> weight;
    for (int k = 0; k < static_cast<int>(next.weights.rows()); ++k) {
        if (!has(compared_, k)) continue;
        if (weight.value_or(next.weights(k, neuron)) != next.weights(k, neuron)) return true;
        weight = next.weights(k, neuron);
    }
    return false;
}

bool Cell::is_undecided(std::size_t layer, Eigen::Index neuron) const {
    const double low = bounds_[layer].lower[neuron];
    const double high = bounds_[layer].upper[neuron];
    if (std::any_of(settled_.begin(), settled_.end(),
                    [&](const Settled& settled) { return settled.layer == layer && settled.neuron == neuron; }))
        return false;
    // A neuron that is on or off except for a sliver is relaxed: one side of a split would be empty.
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

std::vector<NeuronBounds> Cell::without_slivers() const {
    std::vector<NeuronBounds> bounds = bounds_;
    for (NeuronBounds& layer : bounds)
        for (Eigen::Index i = 0; i < layer.lower.size(); ++i)
            (layer.upper[i] > -layer.lower[i] ? layer.lower : layer.upper)[i] = 0;
    return bounds;
}

AffineFunction Cell::function_of(std::size_t layer, Eigen::Index neuron) const {
    return ground_->relaxation.above(ground_->relaxation.neuron(layer, neuron), without_slivers());
}

AffineFunction Cell::difference_of(int a, int b) const {
    return ground_->relaxation.above(ground_->relaxation.outcome_difference(a, b), without_slivers());
}

bool Cell::has_row(const Vector& row) const {
    return contains(ground_->domain, row) &&
           std::all_of(constraints_.begin(), constraints_.end(), [&](const AffineFunction& s) { return s(row) >= 0; });
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
