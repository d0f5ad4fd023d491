// SPDX-License-Identifier: Apache-2.0
// Prunes a network in training (Section 5.3 of the paper): few weights per hidden neuron, few inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/step/sparsity_mask.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// What pruning needs to know about inputs: the standard deviation of each over the rows, and whether it is constant.
struct InputSpread {
    std::vector<float> deviation;
    std::vector<bool> constant;
};
[[nodiscard]] InputSpread spread_of(const MatrixF& inputs);

// Prunes the network of one run. Selects features by the norm of their weights in the first layer, then each hidden
// neuron's weights from these features by magnitude; ties go to the lowest index. Gradual pruning first multiplies
// weights by the standard deviation of their input: inputs in large units have small weights, and inputs that are
// rarely nonzero may have large weights that matter for few rows. The paper's pruning uses plain weights. Constant
// inputs carry no information and are not selected.
class Sparsifier {
public:
    // `steps` is the length of the run, and `inputs` describes its rows.
    Sparsifier(const ParameterLayout& layout, const Sparsity& sparsity, std::int64_t steps, const InputSpread& inputs);

    // The initial mask, which is applied to the parameters. Even a run without steps ends sparse.
    [[nodiscard]] SparsityMask begin(AlignedFloats& parameters);

    // Whether the weights have reached their final sparsity.
    [[nodiscard]] bool sparse(const SparsityMask& mask) const;

    // Call before a step: weights that are pruned for good must not count in the gradient's norm.
    void mask_gradient(const SparsityMask& mask, AlignedFloats& gradient) const;

    // Call after step number `done`, 1-based.
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
    std::vector<float> spread_;              // factors of the weights of the first layer, by input
    std::vector<std::size_t> not_constant_;  // inputs

    // Buffers, so that a step allocates nothing. Sizes are the bits of non-negative floats, which have the same order.
    struct Feature {
        std::size_t input = 0;
        std::uint64_t strength = 0;
    };
    std::vector<Feature> features_;
    std::vector<std::uint32_t> sizes_;
};

}  // namespace polyrx
