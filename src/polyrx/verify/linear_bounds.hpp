// SPDX-License-Identifier: Apache-2.0
// Bounds of neurons and outcomes by back-substitution as in tree/certificate.hpp, in interval arithmetic.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/verify/box.hpp"
#include "polyrx/verify/interval.hpp"

namespace polyrx::checking {

// sum_j weights_j v_j + constant, where v are the outputs of a hidden layer or the inputs. The exact coefficients lie
// in the intervals.
struct LinearForm {
    std::vector<Interval> weights;
    Interval constant;
};

// What is proved about the rows of a leaf or case: a box of inputs, and l <= z <= u for each pre-activation z.
struct Known {
    Box box;
    std::vector<std::vector<Interval>> neurons;  // by hidden layer

    // True if two proved bounds contradict each other. No row is left then, so any statement holds.
    [[nodiscard]] bool is_empty() const;
};

class LinearBounds {
public:
    // Both must outlive the object.
    LinearBounds(const ReluNetwork& network, const Domain& domain);

    // What holds for all rows of the domain.
    [[nodiscard]] Known of_domain() const;

    // Narrows the bounds of a layer by the box and the layers before it. Returns true if they changed.
    bool narrow_layer(Known& known, std::size_t layer) const;

    // weights·v + bias over the outputs of the layer before: a pre-activation or an outcome.
    [[nodiscard]] LinearForm neuron(std::size_t layer, Eigen::Index index) const;

    // Given a form over the outputs of hidden layer number `layers` (from 1; 0 are the inputs), returns an upper bound
    // of it as a form over the inputs, for rows where `known` holds.
    [[nodiscard]] LinearForm over_inputs(LinearForm form, std::size_t layers, const Known& known) const;

private:
    [[nodiscard]] LinearForm through(const LinearForm& form, std::size_t layer, const Known& known) const;

    const ReluNetwork* network_;
    const Domain* domain_;
    std::vector<std::vector<char>> used_;  // by layer: which neurons of the layer before have any weight
    // By first-layer neuron: relu(z) as a form if it is affine on the rows of the domain; otherwise no weights.
    std::vector<LinearForm> linear_;
};

[[nodiscard]] LinearForm operator-(LinearForm form);

// An upper bound of the form over the box.
[[nodiscard]] double greatest(const LinearForm& form, const Box& box);

}  // namespace polyrx::checking
