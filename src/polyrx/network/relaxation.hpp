// SPDX-License-Identifier: Apache-2.0
// Affine bounds of neurons and outcomes if some neurons are undecided.
//
// If l <= z <= u with l < 0 < u, relu(z) lies between the chord u (z - l) / (u - l) above and z or 0 below; the one
// with about the smaller area is used. Back-substitution replaces each neuron by the line that keeps the bound valid,
// layer by layer down to the inputs (Zhang et al. 2018, Singh et al. 2019).
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Bounds of the pre-activations of one hidden layer.
struct NeuronBounds {
    Vector lower;
    Vector upper;
};

// A function of a layer's activations: layer 0 is the first hidden one, -1 are the inputs.
struct LayerFunction {
    int layer = -1;
    Vector weights;
    double constant = 0;
};

class Relaxation {
public:
    // First-layer neurons that read only one binary input or one group are affine on the rows of the domain:
    // relu(c + w·x) = sum_j relu(c + w_j) x_j, because exactly one x_j of a group is 1.
    Relaxation(const ReluNetwork& network, const Domain& domain);

    [[nodiscard]] const ReluNetwork& network() const { return *network_; }
    [[nodiscard]] bool is_linear(std::size_t layer, Eigen::Index neuron) const {
        return layer == 0 && linear_[static_cast<std::size_t>(neuron)].has_value();
    }
    [[nodiscard]] std::size_t hidden_layers() const { return network_->layers().size() - 1; }

    // A pre-activation, or the difference of two outcomes, as a function of the layer before.
    [[nodiscard]] LayerFunction neuron(std::size_t layer, Eigen::Index neuron) const;
    [[nodiscard]] LayerFunction outcome_difference(Eigen::Index a, Eigen::Index b) const;

    // An affine upper bound of `function` in terms of the inputs, given bounds of the layers that it depends on. It
    // equals `function` if all neurons that matter are decided or linear.
    [[nodiscard]] AffineFunction above(LayerFunction function, const std::vector<NeuronBounds>& bounds) const;
    // The weights of above() on the activations of one layer, during back-substitution.
    [[nodiscard]] Vector weights_on(std::size_t layer, LayerFunction function,
                                    const std::vector<NeuronBounds>& bounds) const;

private:
    // Replaces activations by those of the layer before. Terms in the inputs are added to `result`.
    void descend(LayerFunction& function, const std::vector<NeuronBounds>& bounds, AffineFunction& result) const;

    const ReluNetwork* network_;
    std::vector<std::optional<AffineFunction>> linear_;  // by neuron of the first layer
};

[[nodiscard]] inline LayerFunction operator-(LayerFunction function) {
    function.weights = -function.weights;
    function.constant = -function.constant;
    return function;
}

// Bounds of a layer by interval arithmetic, from those of the layer before. The first layer uses the domain, including
// groups.
[[nodiscard]] NeuronBounds interval_bounds(const ReluNetwork& network, const Domain& domain, std::size_t layer,
                                           const std::vector<NeuronBounds>& before);

}  // namespace polyrx
