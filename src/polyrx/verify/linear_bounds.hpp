// SPDX-License-Identifier: Apache-2.0
// Bounds of neurons and outcomes by back-substitution, as tree/certificate.hpp defines it, in interval arithmetic.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/verify/box.hpp"
#include "polyrx/verify/interval.hpp"

namespace polyrx::checking {

// sum_j weights_j v_j + constant, where v are the outputs of a hidden layer, or the inputs. It stands for one function
// whose true coefficients lie in the intervals.
struct LinearForm {
    std::vector<Interval> weights;
    Interval constant;
};

// What is proved of the rows of a leaf, or of a case of it: a box of inputs, and l <= z <= u for the value z of each
// hidden neuron before its ReLU.
struct Known {
    Box box;
    std::vector<std::vector<Interval>> neurons;  // by hidden layer

    // Two proved bounds contradict each other: there is no such row, and anything holds of it.
    [[nodiscard]] bool is_empty() const;
};

class LinearBounds {
public:
    // Both must outlive it.
    LinearBounds(const ReluNetwork& network, const Domain& domain);

    // What follows of all rows of the domain.
    [[nodiscard]] Known of_domain() const;

    // Learns what the box and the layers before say of this one. Returns whether that is news.
    bool narrow_layer(Known& known, std::size_t layer) const;

    // weights·v + bias over the outputs of the layer before: z of one neuron, or an outcome.
    [[nodiscard]] LinearForm neuron(std::size_t layer, Eigen::Index index) const;

    // For a form over the outputs of hidden layer number `layers` (from 1; 0 are the inputs): a form over the inputs
    // that is nowhere below it on rows for which `known` is true.
    [[nodiscard]] LinearForm over_inputs(LinearForm form, std::size_t layers, const Known& known) const;

private:
    [[nodiscard]] LinearForm through(const LinearForm& form, std::size_t layer, const Known& known) const;

    const ReluNetwork* network_;
    const Domain* domain_;
    std::vector<std::vector<char>> used_;  // by layer, of the layer before: has any neuron a weight on it?
    // relu(z) of the neurons of the first layer that are affine on the rows of the domain; no weights: not so.
    std::vector<LinearForm> linear_;
};

[[nodiscard]] LinearForm operator-(LinearForm form);

// At least the largest value that the form over the inputs takes in the box.
[[nodiscard]] double greatest(const LinearForm& form, const Box& box);

}  // namespace polyrx::checking
