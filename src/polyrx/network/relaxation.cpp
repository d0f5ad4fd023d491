// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/relaxation.hpp"

#include <algorithm>

#include "polyrx/network/weighted_rows_kernel.hpp"

namespace polyrx {
namespace {

// The lower bound of relu(z) is 0 while u / -l is below this, and z above. It is not 1: many bounds are symmetric, and
// a checker with other rounding must make the same choice.
constexpr double flat_until = 1.07;

double relu(double value) {
    return std::max(value, 0.0);
}

// The neuron's activation as an affine function of the inputs, if its weights make it affine on all rows.
std::optional<AffineFunction> linear_neuron(const Eigen::Ref<const Eigen::RowVectorXd>& weights, double bias,
                                            const Domain& domain) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index i = 0; i < weights.size(); ++i)
        if (weights[i] != 0) used.push_back(i);
    if (used.empty()) return std::nullopt;  // constant, so its bounds suffice
    AffineFunction function{Vector::Zero(weights.size()), 0};
    for (const auto& group : domain.groups) {
        const auto in_group = [&](Eigen::Index i) { return std::find(group.begin(), group.end(), i) != group.end(); };
        if (!std::all_of(used.begin(), used.end(), in_group)) continue;
        for (const Eigen::Index member : group) function.weights[member] = relu(bias + weights[member]);
        return function;
    }
    if (used.size() > 1 || !is_binary(domain, used.front())) return std::nullopt;
    function.constant = relu(bias);
    function.weights[used.front()] = relu(bias + weights[used.front()]) - function.constant;
    return function;
}

}  // namespace

Relaxation::Relaxation(const ReluNetwork& network, const Domain& domain) : network_(&network) {
    if (hidden_layers() == 0) return;
    const Layer& first = network.layers().front();
    for (Eigen::Index i = 0; i < first.bias.size(); ++i)
        linear_.push_back(linear_neuron(first.weights.row(i), first.bias[i], domain));
}

LayerFunction Relaxation::neuron(std::size_t layer, Eigen::Index index) const {
    const Layer& of = network_->layers()[layer];
    return {static_cast<int>(layer) - 1, of.weights.row(index), of.bias[index]};
}

LayerFunction Relaxation::outcome_difference(Eigen::Index a, Eigen::Index b) const {
    const Layer& output = network_->layers().back();
    return {static_cast<int>(hidden_layers()) - 1, output.weights.row(a) - output.weights.row(b),
            output.bias[a] - output.bias[b]};
}

void Relaxation::descend(LayerFunction& function, const std::vector<NeuronBounds>& bounds,
                         AffineFunction& result) const {
    const auto index = static_cast<std::size_t>(function.layer);
    const Layer& layer = network_->layers()[index];
    std::vector<Eigen::Index> rows;  // of the weights of neurons that matter
    for (Eigen::Index i = 0; i < function.weights.size(); ++i) {
        double& weight = function.weights[i];
        if (weight == 0) continue;
        if (is_linear(index, i)) {
            const AffineFunction& exact = *linear_[static_cast<std::size_t>(i)];
            result.weights += weight * exact.weights;
            result.constant += weight * exact.constant;
            continue;
        }
        const double low = bounds[index].lower[i];
        const double high = bounds[index].upper[i];
        if (high <= 0) continue;
        if (low < 0) {
            if (weight > 0) {
                const double slope = high / (high - low);
                result.constant -= weight * slope * low;
                weight *= slope;
            } else if (high <= -flat_until * low) {
                continue;
            }
        }
        rows.push_back(i);
        result.constant += weight * layer.bias[i];
    }
    Vector before = Vector::Zero(layer.weights.cols());
    add_weighted_rows(layer.weights, rows, function.weights.data(), before.data());
    function.weights = std::move(before);
    --function.layer;
}

AffineFunction Relaxation::above(LayerFunction function, const std::vector<NeuronBounds>& bounds) const {
    AffineFunction result{Vector::Zero(network_->inputs()), function.constant};
    while (function.layer >= 0) descend(function, bounds, result);
    // Only weights of the inputs remain.
    result.weights += function.weights;
    return result;
}

Vector Relaxation::weights_on(std::size_t layer, LayerFunction function,
                              const std::vector<NeuronBounds>& bounds) const {
    AffineFunction rest{Vector::Zero(network_->inputs()), 0};
    while (function.layer > static_cast<int>(layer)) descend(function, bounds, rest);
    return function.weights;
}

NeuronBounds interval_bounds(const ReluNetwork& network, const Domain& domain, std::size_t layer,
                             const std::vector<NeuronBounds>& before) {
    const Layer& of = network.layers()[layer];
    NeuronBounds bounds{of.bias, of.bias};
    if (layer == 0) {
        for (Eigen::Index i = 0; i < of.bias.size(); ++i) {
            const AffineFunction function{of.weights.row(i), of.bias[i]};
            bounds.upper[i] = maximum(domain, function);
            bounds.lower[i] = -maximum(domain, -function);
        }
        return bounds;
    }
    const Vector low = before[layer - 1].lower.cwiseMax(0);
    const Vector high = before[layer - 1].upper.cwiseMax(0);
    const Matrix positive = of.weights.cwiseMax(0);
    const Matrix negative = of.weights.cwiseMin(0);
    bounds.upper += positive * high + negative * low;
    bounds.lower += positive * low + negative * high;
    return bounds;
}

}  // namespace polyrx
