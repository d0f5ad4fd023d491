// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/sparsity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace polyrx {
namespace {

// The phases of a gradual run, as shares of its steps. Which inputs matter shows early, so a fifth is dense; what is
// left in the end must be trained while a learning rate that falls to 0 is still something, so two fifths are for that.
constexpr double dense_share = 0.2;
constexpr double settled_share = 0.6;

// Between two of so many rounds a weight has time to grow back: 75 steps in a run of 6,000.
constexpr int all_rounds = 32;

constexpr std::uint32_t every_bit = ~std::uint32_t{0};

// In the order of their size; what is not a number comes after all, is kept, and so the run is seen to diverge.
std::uint32_t magnitude(float value) {
    return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU;
}

// Row by row, not by Eigen, whose order of summation depends on the machine.
float standard_deviation(const MatrixF& inputs, Eigen::Index input) {
    const auto count = static_cast<double>(inputs.rows());
    double sum = 0;
    for (Eigen::Index i = 0; i < inputs.rows(); ++i) sum += inputs(i, input);
    double squares = 0;
    for (Eigen::Index i = 0; i < inputs.rows(); ++i) {
        const double off = inputs(i, input) - sum / count;
        squares += off * off;
    }
    return static_cast<float>(std::sqrt(squares / count));
}

// How many of `all` are kept while the share `left` of those above `wanted` is.
std::size_t count_left(std::size_t all, int wanted, double left) {
    const auto least = static_cast<std::size_t>(wanted);
    if (least == 0 || least >= all) return all;
    return least + static_cast<std::size_t>(std::ceil(left * static_cast<double>(all - least)));
}

// The cubic of Zhu & Gupta 2017: many go while there are many, and the last ones slowly.
double share_left(double done) {
    const double rest = 1 - std::clamp(done, 0.0, 1.0);
    return rest * rest * rest;
}

}  // namespace

std::string_view name_of(Sparsify how) {
    return how == Sparsify::gradual ? "gradual" : "paper";
}

Sparsifier::Sparsifier(const ParameterLayout& layout, const Sparsity& sparsity, std::int64_t steps,
                       const MatrixF& inputs, AlignedFloats& parameters)
    : layout_(layout), sparsity_(sparsity), kept_(layout.size()) {
    std::size_t most_inputs = 0;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer)
        most_inputs = std::max(most_inputs, layout_.shape(layer).inputs);
    sizes_.resize(most_inputs);
    for (Eigen::Index input = 0; input < inputs.cols(); ++input) {
        spread_.push_back(sparsity_.how == Sparsify::gradual ? standard_deviation(inputs, input) : 1);
        if ((inputs.col(input).array() != inputs(0, input)).any())
            features_.push_back({.input = static_cast<std::size_t>(input)});
    }
    keep_all_but_dropped_features();
    zero_the_rest(parameters);
    if (sparsity_.how == Sparsify::gradual) {
        dense_until_ = static_cast<std::int64_t>(std::floor(dense_share * static_cast<double>(steps)));
        settled_from_ = static_cast<std::int64_t>(std::ceil(settled_share * static_cast<double>(steps)));
    }
    if (steps == 0) prune(parameters, 0);
}

bool Sparsifier::sparse() const {
    return sparsity_.how == Sparsify::paper || rounds_ == all_rounds;
}

// How many rounds there are to be within so many steps.
int Sparsifier::rounds_by(std::int64_t done) const {
    if (done >= settled_from_) return all_rounds;
    if (done <= dense_until_) return 0;
    return static_cast<int>((done - dense_until_) * all_rounds / (settled_from_ - dense_until_));
}

void Sparsifier::mask(AlignedFloats& gradient) const {
    if (sparsity_.how == Sparsify::gradual) zero_the_rest(gradient);
}

void Sparsifier::prune(AlignedFloats& parameters, std::int64_t done) {
    if (sparsity_.how == Sparsify::paper) {
        choose(parameters, 0, 0);
        zero_the_rest(parameters);
        return;
    }
    const int rounds = rounds_by(done);
    if (rounds > rounds_) {
        rounds_ = rounds;
        const double ramp = static_cast<double>(rounds_) / all_rounds;
        // If both are wanted, features go in the first half of the rounds and weights in the second: a neuron that is
        // off in every row regains nothing, and must not have pruned its weights from the features that stay.
        const bool both = sparsity_.max_features > 0 && sparsity_.weights_per_neuron > 0;
        choose(parameters, share_left(both ? 2 * ramp : ramp), share_left(both ? 2 * ramp - 1 : ramp));
        zero_the_rest(parameters);
        if (!sparse()) keep_all_but_dropped_features();
        return;
    }
    zero_the_rest(parameters);  // Adam's moments bring back what has no slope
}

void Sparsifier::choose(const AlignedFloats& parameters, double features_left, double weights_left) {
    keep_all_but_dropped_features();
    const std::size_t features = count_left(features_.size(), sparsity_.max_features, features_left);
    if (features < features_.size()) choose_features(parameters, features);
    // Now they are settled: one that grows back a little in every neuron would outweigh one that few neurons need.
    if (features_left == 0 && sparsity_.how == Sparsify::gradual) features_.resize(features);
    for (std::size_t layer = 0; layer + 1 < layout_.layers(); ++layer) {
        const std::size_t inputs = layer == 0 ? features : layout_.shape(layer).inputs;
        choose_weights(parameters, layer, count_left(inputs, sparsity_.weights_per_neuron, weights_left));
    }
}

void Sparsifier::choose_features(const AlignedFloats& parameters, std::size_t count) {
    const LayerShape& shape = layout_.shape(0);
    const std::size_t row = padded(shape.neurons);
    for (Feature& feature : features_) {
        double squares = 0;
        for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
            const double size = parameters[feature.input * row + neuron] * spread_[feature.input];
            squares += size * size;
        }
        feature.strength = std::bit_cast<std::uint64_t>(std::abs(squares));  // no sign of what is not a number
    }
    const auto stronger = [](const Feature& a, const Feature& b) {
        return a.strength != b.strength ? a.strength > b.strength : a.input < b.input;
    };
    const auto dropped = features_.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(features_.begin(), dropped, features_.end(), stronger);
    std::for_each(dropped, features_.end(), [&](const Feature& feature) {
        std::fill_n(kept_.begin() + static_cast<std::ptrdiff_t>(feature.input * row), row, 0U);
    });
}

std::uint32_t Sparsifier::size_of(float weight, std::size_t layer, std::size_t input) const {
    return magnitude(layer == 0 ? weight * spread_[input] : weight);
}

void Sparsifier::choose_weights(const AlignedFloats& parameters, std::size_t layer, std::size_t count) {
    const LayerShape& shape = layout_.shape(layer);
    for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
        const auto place_of = [&](std::size_t input) {
            return layout_.offset(layer) + input * padded(shape.neurons) + neuron;
        };
        std::size_t candidates = 0;
        for (std::size_t input = 0; input < shape.inputs; ++input)
            if (const std::size_t at = place_of(input); kept_[at] != 0)
                sizes_[candidates++] = size_of(parameters[at], layer, input);
        if (count >= candidates) continue;
        const auto begin = sizes_.begin();
        const auto last_kept = begin + static_cast<std::ptrdiff_t>(count - 1);
        std::nth_element(begin, last_kept, begin + static_cast<std::ptrdiff_t>(candidates), std::greater<>());
        const std::uint32_t smallest = *last_kept;
        std::ptrdiff_t ties = std::count(begin, last_kept + 1, smallest);  // that there is room for
        for (std::size_t input = 0; input < shape.inputs; ++input) {
            const std::size_t at = place_of(input);
            if (kept_[at] == 0) continue;
            const std::uint32_t size = size_of(parameters[at], layer, input);
            if (size < smallest || (size == smallest && ties-- <= 0)) kept_[at] = 0;
        }
    }
}

void Sparsifier::keep_all_but_dropped_features() {
    const std::size_t row = padded(layout_.shape(0).neurons);
    const auto behind_inputs = kept_.begin() + static_cast<std::ptrdiff_t>(layout_.bias_offset(0));
    std::fill(kept_.begin(), behind_inputs, 0U);
    std::fill(behind_inputs, kept_.end(), every_bit);
    for (const Feature& feature : features_)
        std::fill_n(kept_.begin() + static_cast<std::ptrdiff_t>(feature.input * row), row, every_bit);
}

void Sparsifier::zero_the_rest(AlignedFloats& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(values[i]) & kept_[i]);
}

}  // namespace polyrx
