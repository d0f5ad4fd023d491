// SPDX-License-Identifier: Apache-2.0
// Makes a network in training sparse (Section 5.3 of the paper): few weights into each hidden neuron, few inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/step/sparsity_mask.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// What pruning must know of the inputs: the standard deviation of each over the rows, and whether it is the same in
// every row.
struct InputSpread {
    std::vector<float> deviation;
    std::vector<bool> constant;
};
[[nodiscard]] InputSpread spread_of(const MatrixF& inputs);

// Prunes the network of one run. Features are chosen by the norm of their weights in the first layer, then each hidden
// neuron's weights, from those features, by their magnitude; ties go to the lowest index. The gradual way multiplies a
// weight by the standard deviation of its input first, since an input in a large unit has small weights and one that is
// rarely other than 0 may have large ones that matter to few; the paper's takes weights as they are. An input that is
// the same in every row says nothing and is not chosen.
class Sparsifier {
public:
    // The run has so many steps over rows with such inputs.
    Sparsifier(const ParameterLayout& layout, const Sparsity& sparsity, std::int64_t steps, const InputSpread& inputs);

    // The mask that a run begins with, with which the parameters are pruned. Even a run without steps ends sparse.
    [[nodiscard]] SparsityMask begin(AlignedFloats& parameters);

    // Whether the weights are as sparse as they are to be, and stay so.
    [[nodiscard]] bool sparse(const SparsityMask& mask) const;

    // Before a step: weights that are pruned for good have no slopes, which would count in the gradient's norm.
    void mask_gradient(const SparsityMask& mask, AlignedFloats& gradient) const;

    // After step number `done`, 1-based.
    void prune(AlignedFloats& parameters, std::int64_t done, SparsityMask& mask);

private:
    [[nodiscard]] int rounds_by(std::int64_t done) const;
    void choose(const AlignedFloats& parameters, double features_left, double weights_left, SparsityMask& mask);
    void choose_features(const AlignedFloats& parameters, std::size_t count, SparsityMask& mask);
    [[nodiscard]] std::uint32_t size_of(float weight, std::size_t layer, std::size_t input) const;
    void choose_weights(const AlignedFloats& parameters, std::size_t layer, std::size_t count, SparsityMask& mask);
    void keep_all_but_dropped_features(SparsityMask& mask) const;

    ParameterLayout layout_;
    Sparsity sparsity_;
    std::int64_t steps_;
    std::int64_t dense_until_ = 0;
    std::int64_t settled_from_ = 0;
    std::vector<float> spread_;              // what a weight of the first layer is multiplied by, by input
    std::vector<std::size_t> not_constant_;  // inputs

    // Room to choose in: a step allocates nothing. Sizes are the bits of floats that are not negative, which have the
    // same order.
    struct Feature {
        std::size_t input = 0;
        std::uint64_t strength = 0;
    };
    std::vector<Feature> features_;
    std::vector<std::uint32_t> sizes_;
};

}  // namespace polyrx
