// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/sparsity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace polyrx {
namespace {

// Phases of a gradual run, as shares of its steps. Important inputs show early, so one fifth is dense. The remaining
// weights need training before the learning rate decays to 0, so the last two fifths are for that.
constexpr double dense_share = 0.2;
constexpr double settled_share = 0.6;

// Between two rounds, a weight has time to grow back: 75 steps in a run of 6,000.
constexpr int all_rounds = 32;

constexpr std::uint32_t every_bit = ~std::uint32_t{0};

void zero_the_rest(const SparsityMask& mask, AlignedFloats& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(values[i]) & mask.kept[i]);
}

// Orders floats by magnitude. NaN is largest and is kept, so that divergence is detected.
std::uint32_t magnitude(float value) {
    return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU;
}

// Sums row by row, because the summation order of Eigen depends on the machine.
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

// How many of `all` are kept if the share `left` of the surplus over `wanted` remains.
std::size_t count_left(std::size_t all, int wanted, double left) {
    const auto least = static_cast<std::size_t>(wanted);
    if (least == 0 || least >= all) return all;
    return least + static_cast<std::size_t>(std::ceil(left * static_cast<double>(all - least)));
}

// The cubic schedule of Zhu & Gupta 2017: prunes many weights early and the last ones slowly.
double share_left(double done) {
    const double rest = 1 - std::clamp(done, 0.0, 1.0);
    return rest * rest * rest;
}

}  // namespace

InputSpread spread_of(const MatrixF& inputs) {
    InputSpread spread;
    for (Eigen::Index input = 0; input < inputs.cols(); ++input) {
        spread.deviation.push_back(standard_deviation(inputs, input));
        spread.constant.push_back((inputs.col(input).array() == inputs(0, input)).all());
    }
    return spread;
}

Sparsifier::Sparsifier(const ParameterLayout& layout, const Sparsity& sparsity, std::int64_t steps,
                       const InputSpread& inputs)
    : layout_(layout), sparsity_(sparsity), steps_(steps) {
    std::size_t most_inputs = 0;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer)
        most_inputs = std::max(most_inputs, layout_.shape(layer).inputs);
    sizes_.resize(most_inputs);
    spread_ = inputs.deviation;
    if (sparsity_.how == Sparsify::paper) std::ranges::fill(spread_, 1.0F);
    for (std::size_t input = 0; input < inputs.constant.size(); ++input)
        if (!inputs.constant[input]) not_constant_.push_back(input);
    features_.reserve(not_constant_.size());
    if (sparsity_.how == Sparsify::gradual) {
        dense_until_ = static_cast<std::int64_t>(std::floor(dense_share * static_cast<double>(steps)));
        settled_from_ = static_cast<std::int64_t>(std::ceil(settled_share * static_cast<double>(steps)));
    }
}

SparsityMask Sparsifier::begin(AlignedFloats& parameters) {
    SparsityMask mask{.kept = std::vector<std::uint32_t>(layout_.size()), .features = not_constant_};
    keep_all_but_dropped_features(mask);
    zero_the_rest(mask, parameters);
    if (steps_ == 0) prune(parameters, 0, mask);
    return mask;
}

bool Sparsifier::sparse(const SparsityMask& mask) const {
    return sparsity_.how == Sparsify::paper || mask.rounds == all_rounds;
}

// The number of pruning rounds after `done` steps.
int Sparsifier::rounds_by(std::int64_t done) const {
    if (done >= settled_from_) return all_rounds;
    if (done <= dense_until_) return 0;
    return static_cast<int>((done - dense_until_) * all_rounds / (settled_from_ - dense_until_));
}

void Sparsifier::mask_gradient(const SparsityMask& mask, AlignedFloats& gradient) const {
    if (sparsity_.how == Sparsify::gradual) zero_the_rest(mask, gradient);
}

void Sparsifier::prune(AlignedFloats& parameters, std::int64_t done, SparsityMask& mask) {
    if (sparsity_.how == Sparsify::paper) {
        choose(parameters, 0, 0, mask);
        zero_the_rest(mask, parameters);
        return;
    }
    const int rounds = rounds_by(done);
    if (rounds > mask.rounds) {
        mask.rounds = rounds;
        const double ramp = static_cast<double>(rounds) / all_rounds;
        // If both limits are set, the first half of the rounds removes features and the second half weights. A neuron
        // that is off in every row regains nothing, so it must not prune weights from features that remain.
        const bool both = sparsity_.max_features > 0 && sparsity_.weights_per_neuron > 0;
        choose(parameters, share_left(both ? 2 * ramp : ramp), share_left(both ? 2 * ramp - 1 : ramp), mask);
        zero_the_rest(mask, parameters);
        if (!sparse(mask)) keep_all_but_dropped_features(mask);
        return;
    }
    zero_the_rest(mask, parameters);  // Adam's moments also move weights without a slope
}

void Sparsifier::choose(const AlignedFloats& parameters, double features_left, double weights_left,
                        SparsityMask& mask) {
    keep_all_but_dropped_features(mask);
    const std::size_t features = count_left(mask.features.size(), sparsity_.max_features, features_left);
    if (features < mask.features.size()) {
        choose_features(parameters, features, mask);
        // Fix the features now: one that grows back slightly in every neuron would outweigh one that few neurons need.
        if (features_left == 0 && sparsity_.how == Sparsify::gradual) {
            mask.features.resize(features);
            std::ranges::transform(features_.begin(), features_.begin() + static_cast<std::ptrdiff_t>(features),
                                   mask.features.begin(), &Feature::input);
            std::ranges::sort(mask.features);
        }
    }
    for (std::size_t layer = 0; layer + 1 < layout_.layers(); ++layer) {
        const std::size_t inputs = layer == 0 ? features : layout_.shape(layer).inputs;
        choose_weights(parameters, layer, count_left(inputs, sparsity_.weights_per_neuron, weights_left), mask);
    }
}

// Keeps the strongest features, and moves them to the front of features_.
void Sparsifier::choose_features(const AlignedFloats& parameters, std::size_t count, SparsityMask& mask) {
    const LayerShape& shape = layout_.shape(0);
    const std::size_t row = padded(shape.neurons);
    features_.clear();
    for (const std::size_t input : mask.features) {
        double squares = 0;
        for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
            const double size = parameters[input * row + neuron] * spread_[input];
            squares += size * size;
        }
        // Ignores the sign of NaN.
        features_.push_back({.input = input, .strength = std::bit_cast<std::uint64_t>(std::abs(squares))});
    }
    const auto stronger = [](const Feature& a, const Feature& b) {
        return a.strength != b.strength ? a.strength > b.strength : a.input < b.input;
    };
    const auto dropped = features_.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(features_.begin(), dropped, features_.end(), stronger);
    std::for_each(dropped, features_.end(), [&](const Feature& feature) {
        std::fill_n(mask.kept.begin() + static_cast<std::ptrdiff_t>(feature.input * row), row, 0U);
    });
}

std::uint32_t Sparsifier::size_of(float weight, std::size_t layer, std::size_t input) const {
    return magnitude(layer == 0 ? weight * spread_[input] : weight);
}

void Sparsifier::choose_weights(const AlignedFloats& parameters, std::size_t layer, std::size_t count,
                                SparsityMask& mask) {
    const LayerShape& shape = layout_.shape(layer);
    for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
        const auto place_of = [&](std::size_t input) {
            return layout_.offset(layer) + input * padded(shape.neurons) + neuron;
        };
        std::size_t candidates = 0;
        for (std::size_t input = 0; input < shape.inputs; ++input)
            if (const std::size_t at = place_of(input); mask.kept[at] != 0)
                sizes_[candidates++] = size_of(parameters[at], layer, input);
        if (count >= candidates) continue;
        const auto begin = sizes_.begin();
        const auto last_kept = begin + static_cast<std::ptrdiff_t>(count - 1);
        std::nth_element(begin, last_kept, begin + static_cast<std::ptrdiff_t>(candidates), std::greater<>());
        const std::uint32_t smallest = *last_kept;
        std::ptrdiff_t ties = std::count(begin, last_kept + 1, smallest);  // places for weights equal to the smallest
        for (std::size_t input = 0; input < shape.inputs; ++input) {
            const std::size_t at = place_of(input);
            if (mask.kept[at] == 0) continue;
            const std::uint32_t size = size_of(parameters[at], layer, input);
            if (size < smallest || (size == smallest && ties-- <= 0)) mask.kept[at] = 0;
        }
    }
}

void Sparsifier::keep_all_but_dropped_features(SparsityMask& mask) const {
    const std::size_t row = padded(layout_.shape(0).neurons);
    const auto behind_inputs = mask.kept.begin() + static_cast<std::ptrdiff_t>(layout_.bias_offset(0));
    std::fill(mask.kept.begin(), behind_inputs, 0U);
    std::fill(behind_inputs, mask.kept.end(), every_bit);
    for (const std::size_t input : mask.features)
        std::fill_n(mask.kept.begin() + static_cast<std::ptrdiff_t>(input * row), row, every_bit);
}

}  // namespace polyrx
