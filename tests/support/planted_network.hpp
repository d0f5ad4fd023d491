// SPDX-License-Identifier: Apache-2.0
// Networks in which some neurons are always on or off on a domain, nobody reads some, and some read nothing.
#pragma once

#include <algorithm>

#include "polyrx/network/prune.hpp"
#include "polyrx/network/relaxation.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

struct Planted {
    ReluNetwork network;
    NeuronStates states;  // what was planted; the others are called `varies`, whatever they are
};

// `stable` is the share of neurons that are on or off.
inline Planted planted_network(Rng& rng, const std::vector<Eigen::Index>& widths, const Domain& domain, double stable) {
    std::vector<Layer> layers = random_network(rng, widths).layers();
    NeuronStates states;
    std::vector<NeuronBounds> bounds;
    for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer) {
        Layer& of = layers[layer];
        for (Eigen::Index i = 0; i < of.bias.size(); ++i) {
            if (rng.bernoulli(0.05)) of.weights.row(i).setZero();
            if (rng.bernoulli(0.05)) layers[layer + 1].weights.col(i).setZero();
        }
        const NeuronBounds loose = interval_bounds(ReluNetwork(layers), domain, layer, bounds);
        states.emplace_back();
        for (Eigen::Index i = 0; i < of.bias.size(); ++i) {
            NeuronState state = NeuronState::varies;
            if (rng.bernoulli(stable)) state = rng.bernoulli(0.5) ? NeuronState::on : NeuronState::off;
            const double beyond = rng.bernoulli(0.2) ? 1e-6 : rng.uniform(0.01, 1);
            if (state == NeuronState::on) of.bias[i] += beyond - loose.lower[i];
            if (state == NeuronState::off) of.bias[i] -= beyond + loose.upper[i];
            states.back().push_back(state);
        }
        bounds.push_back(interval_bounds(ReluNetwork(layers), domain, layer, bounds));
    }
    return {ReluNetwork(std::move(layers)), std::move(states)};
}

}  // namespace polyrx::test
