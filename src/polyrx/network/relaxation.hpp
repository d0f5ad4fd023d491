// SPDX-License-Identifier: Apache-2.0
// Affine bounds of a network's neurons and outcomes where not all of its neurons are known to be on or off.
//
// Where l <= z <= u with l < 0 < u, relu(z) lies between the chord u (z - l) / (u - l) and either of z and 0, of which
// the one is taken that leaves about the smaller area. A function of a layer's values becomes one of the layer before
// by putting the line in place of each neuron that makes the bound true, and so on down to the inputs
// (back-substitution: Zhang et al. 2018, Singh et al. 2019).
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Of the neurons of one hidden layer, before their ReLU.
struct NeuronBounds {
    Vector lower;
    Vector upper;
};

// A function of the values of a layer after their ReLU: layer 0 is the first hidden one, -1 are the inputs.
struct LayerFunction {
    int layer = -1;
    Vector weights;
    double constant = 0;
};

class Relaxation {
public:
    // Neurons of the first layer that read one binary input, or one group only, are affine on the domain's rows:
    // relu(c + w·x) = sum_j relu(c + w_j) x_j, since exactly one x_j of a group is 1.
    Relaxation(const ReluNetwork& network, const Domain& domain);

    [[nodiscard]] const ReluNetwork& network() const { return *network_; }
    [[nodiscard]] bool is_linear(std::size_t layer, Eigen::Index neuron) const {
        return layer == 0 && linear_[static_cast<std::size_t>(neuron)].has_value();
    }
    [[nodiscard]] std::size_t hidden_layers() const { return network_->layers().size() - 1; }

    // A neuron before its ReLU, or the difference of two outcomes, as a function of the layer before.
    [[nodiscard]] LayerFunction neuron(std::size_t layer, Eigen::Index neuron) const;
    [[nodiscard]] LayerFunction outcome_difference(Eigen::Index a, Eigen::Index b) const;

    // An affine function of the inputs that is nowhere below `function`, given bounds of the layers it depends on. It
    // is the function itself where all neurons that matter are decided or linear.
    [[nodiscard]] AffineFunction above(LayerFunction function, const std::vector<NeuronBounds>& bounds) const;
    // The weights that the function above has on the values of one layer, on the way there.
    [[nodiscard]] Vector weights_on(std::size_t layer, LayerFunction function,
                                    const std::vector<NeuronBounds>& bounds) const;

private:
    // From the values of a layer to those of the layer before. What leaves the layers goes into `result`.
    void descend(LayerFunction& function, const std::vector<NeuronBounds>& bounds, AffineFunction& result) const;

    const ReluNetwork* network_;
    std::vector<std::optional<AffineFunction>> linear_;  // by neuron of the first layer
};

[[nodiscard]] inline LayerFunction operator-(LayerFunction function) {
    function.weights = -function.weights;
    function.constant = -function.constant;
    return function;
}

// Bounds of a layer's neurons from those of the layer before by interval arithmetic. Of the first layer: on the domain,
// groups included.
[[nodiscard]] NeuronBounds interval_bounds(const ReluNetwork& network, const Domain& domain, std::size_t layer,
                                           const std::vector<NeuronBounds>& before);

}  // namespace polyrx
