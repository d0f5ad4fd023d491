// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/prune.hpp"

#include <algorithm>
#include <cstddef>

#include "polyrx/core/error.hpp"
#include "polyrx/network/relaxation.hpp"

namespace polyrx {
namespace {

using Indices = std::vector<Eigen::Index>;

// A carrier stays above 0 by this share of its range, so that rounding never turns it off and bounds of the pruned
// network prove it active. It is a power of two, so shifts add no rounding if ranges are whole numbers.
constexpr double share_above_zero = 0x1p-10;

// Row by row of b, because the order of summation of an Eigen product depends on the machine.
Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result = Matrix::Zero(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index k = 0; k < a.cols(); ++k)
            if (a(i, k) != 0) result.row(i) += a(i, k) * b.row(k);
    return result;
}

// An affine map of a layer's inputs.
struct Contribution {
    Matrix weights;
    Vector constant;
};

// The contribution of active neurons to the next layer.
Contribution contribution_of(const Layer& layer, const Layer& next, const Indices& on) {
    const Matrix read = next.weights(Eigen::all, on);
    return {product(read, layer.weights(on, Eigen::all)), product(read, layer.bias(on)).col(0)};
}

Indices nonzero_rows(const Matrix& matrix) {
    Indices rows;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        if ((matrix.row(i).array() != 0).any()) rows.push_back(i);
    return rows;
}

class Pruning {
public:
    Pruning(const ReluNetwork& network, NeuronStates states, const Domain& domain)
        : layers_(network.layers()), states_(std::move(states)), domain_(domain) {}

    ReluNetwork run() {
        // One step may enable another, so repeat until nothing changes.
        std::size_t before = 0;
        do {
            before = neurons();
            for (std::size_t layer = 0; layer < states_.size(); ++layer) fold_constants(layer);
            for (std::size_t layer = states_.size(); layer-- > 0;) drop_unread(layer);
            // An empty layer leaves only constants, which are now in the output bias.
            if (std::ranges::any_of(states_, [](const auto& layer) { return layer.empty(); })) return constant();
            for (std::size_t layer = states_.size(); layer-- > 0;) carry_on_neurons(layer);
        } while (neurons() < before);
        return ReluNetwork(std::move(layers_));
    }

private:
    [[nodiscard]] std::size_t neurons() const {
        std::size_t count = 0;
        for (const auto& layer : states_) count += layer.size();
        return count;
    }

    [[nodiscard]] ReluNetwork constant() const {
        return ReluNetwork({Layer{Matrix::Zero(layers_.back().bias.size(), domain_.inputs()), layers_.back().bias}});
    }

    void keep(std::size_t layer, const Indices& kept) {
        Layer& of = layers_[layer];
        of = {Matrix(of.weights(kept, Eigen::all)), Vector(of.bias(kept))};
        layers_[layer + 1].weights = Matrix(layers_[layer + 1].weights(Eigen::all, kept));
        std::vector<NeuronState> states;
        for (const Eigen::Index neuron : kept) states.push_back(states_[layer][static_cast<std::size_t>(neuron)]);
        states_[layer] = std::move(states);
    }

    // Removes inactive neurons and neurons without inputs.
    void fold_constants(std::size_t layer) {
        const Layer& of = layers_[layer];
        Layer& next = layers_[layer + 1];
        Indices kept;
        for (Eigen::Index i = 0; i < of.bias.size(); ++i) {
            if (states_[layer][static_cast<std::size_t>(i)] == NeuronState::off) continue;
            if ((of.weights.row(i).array() != 0).any())
                kept.push_back(i);
            else if (of.bias[i] > 0)
                next.bias += next.weights.col(i) * of.bias[i];
        }
        keep(layer, kept);
    }

    void drop_unread(std::size_t layer) { keep(layer, nonzero_rows(layers_[layer + 1].weights.transpose())); }

    void carry_on_neurons(std::size_t layer) {
        Indices on;
        Indices others;
        for (std::size_t i = 0; i < states_[layer].size(); ++i)
            (states_[layer][i] == NeuronState::on ? on : others).push_back(static_cast<Eigen::Index>(i));
        if (on.empty()) return;
        Layer& next = layers_[layer + 1];
        const Contribution sum = contribution_of(layers_[layer], next, on);
        if (others.empty()) {
            next.weights = sum.weights;
            next.bias += sum.constant;
            layers_.erase(layers_.begin() + static_cast<std::ptrdiff_t>(layer));
            states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(layer));
            return;
        }
        const Indices rows = nonzero_rows(sum.weights);
        const Indices columns = nonzero_rows(sum.weights.transpose());
        if (std::min(rows.size(), columns.size()) >= on.size()) return;
        keep(layer, others);
        next.bias += sum.constant;
        if (columns.size() <= rows.size()) {
            // One carrier per value that is read. It copies the value, which rounds least.
            const Matrix all = Matrix::Identity(sum.weights.cols(), sum.weights.cols());
            add_carriers(layer, all(columns, Eigen::all), sum.weights(Eigen::all, columns));
        } else {
            const Matrix all = Matrix::Identity(sum.weights.rows(), sum.weights.rows());
            add_carriers(layer, sum.weights(rows, Eigen::all), all(Eigen::all, rows));
        }
    }

    // Adds always-active neurons, one per row of `weights`, and their weights `read` in the next layer.
    void add_carriers(std::size_t layer, const Matrix& weights, const Matrix& read) {
        Layer& of = layers_[layer];
        Layer& next = layers_[layer + 1];
        const Vector shifts = shifts_for(layer, weights);
        const Eigen::Index old = of.bias.size();
        const Eigen::Index all = old + weights.rows();
        of.weights.conservativeResize(all, Eigen::NoChange);
        of.weights.bottomRows(weights.rows()) = weights;
        of.bias.conservativeResize(all);
        of.bias.tail(weights.rows()) = shifts;
        next.weights.conservativeResize(Eigen::NoChange, all);
        next.weights.rightCols(weights.rows()) = read;
        for (Eigen::Index i = 0; i < shifts.size(); ++i) next.bias -= read.col(i) * shifts[i];
        states_[layer].resize(static_cast<std::size_t>(all), NeuronState::on);
    }

    // Shifts that make each row of weights, as a function of the layer's inputs, positive on the whole domain.
    [[nodiscard]] Vector shifts_for(std::size_t layer, const Matrix& weights) const {
        std::vector<Layer> up_to_here(layers_.begin(), layers_.begin() + static_cast<std::ptrdiff_t>(layer));
        up_to_here.push_back({weights, Vector::Zero(weights.rows())});
        up_to_here.push_back({Matrix::Zero(1, weights.rows()), Vector::Zero(1)});  // a network needs an output
        const ReluNetwork network(std::move(up_to_here));
        const Relaxation relaxation(network, domain_);
        std::vector<NeuronBounds> bounds;
        for (std::size_t at = 0; at <= layer; ++at) {
            const Eigen::Index width = network.layers()[at].bias.size();
            NeuronBounds found{Vector(width), Vector(width)};
            for (Eigen::Index i = 0; i < width; ++i) {
                found.upper[i] = maximum(domain_, relaxation.above(relaxation.neuron(at, i), bounds));
                found.lower[i] = -maximum(domain_, relaxation.above(-relaxation.neuron(at, i), bounds));
            }
            bounds.push_back(std::move(found));
        }
        Vector shifts(weights.rows());
        for (Eigen::Index i = 0; i < shifts.size(); ++i) {
            const double low = bounds.back().lower[i];
            const double enough = share_above_zero * (std::max(bounds.back().upper[i], 0.0) - std::min(low, 0.0));
            shifts[i] = std::max(enough - low, 0.0);
        }
        return shifts;
    }

    std::vector<Layer> layers_;
    NeuronStates states_;  // of hidden neurons
    const Domain& domain_;
};

}  // namespace

ReluNetwork prune(const ReluNetwork& network, const NeuronStates& states, const Domain& domain) {
    bool fit = states.size() + 1 == network.layers().size() && domain.inputs() == network.inputs();
    for (std::size_t layer = 0; fit && layer < states.size(); ++layer)
        fit = static_cast<Eigen::Index>(states[layer].size()) == network.layers()[layer].bias.size();
    if (!fit) throw usage_error("the neuron states or the domain do not match the network to prune");
    return Pruning(network, states, domain).run();
}

}  // namespace polyrx
