// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/backprop.hpp"

#include <algorithm>

namespace polyrx {
namespace {

// Calls use(range) for batch_lanes rows at a time.
template <class Use>
void for_lanes(RowRange range, Use use) {
    for (std::size_t done = 0; done < range.count; done += batch_lanes)
        use(RowRange{range.first + done, std::min(batch_lanes, range.count - done)});
}

}  // namespace

Backprop::Backprop(ParameterLayout layout) : layout_(std::move(layout)) {
    std::size_t widest = 0;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        const LayerShape& shape = layout_.shape(layer);
        values_.emplace_back((shape.inputs + 1) * batch_lanes);
        std::fill(values_.back().end() - batch_lanes, values_.back().end(), 1.0F);
        widest = std::max({widest, padded(shape.inputs), padded(shape.neurons)});
    }
    values_.emplace_back(padded(outputs()) * batch_lanes);
    output_slopes_.resize(padded(outputs()) * batch_lanes);
    slopes_.resize(widest * batch_lanes);
    next_slopes_.resize(widest * batch_lanes);
    scratch_.resize(widest * batch_lanes);
}

BatchLoss Backprop::loss(const AlignedFloats& parameters, const TrainingRows& rows, RowRange range, double mu) {
    BatchLoss sum;
    for_lanes(range, [&](RowRange part) {
        take(rows, part);
        forward(parameters, part.count);
        sum += judge(rows, part, mu, range.count);
    });
    return sum;
}

BatchLoss Backprop::gradient(const AlignedFloats& parameters, const TrainingRows& rows, RowRange range, double mu,
                             AlignedFloats& gradient) {
    BatchLoss sum;
    for_lanes(range, [&](RowRange part) {
        take(rows, part);
        forward(parameters, part.count);
        sum += judge(rows, part, mu, range.count);
        backward(parameters, part.count, part.first > range.first, gradient);
    });
    return sum;
}

void Backprop::take(const TrainingRows& rows, RowRange range) {
    const std::size_t width = layout_.shape(0).inputs;
    const float* from = rows.inputs.data() + range.first * width;
    for (std::size_t lane = 0; lane < range.count; ++lane)
        for (std::size_t input = 0; input < width; ++input)
            values_.front()[input * batch_lanes + lane] = from[lane * width + input];
}

void Backprop::forward(const AlignedFloats& parameters, std::size_t rows) {
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer)
        forward_layer(layout_.shape(layer), rows, parameters.data() + layout_.offset(layer), values_[layer].data(),
                      layer + 1 < layout_.layers(), values_[layer + 1].data());
}

BatchLoss Backprop::judge(const TrainingRows& rows, RowRange range, double mu, std::size_t batch) {
    return loss_and_slopes(values_.back().data(), outputs(), rows, range, mu, batch, output_slopes_.data());
}

void Backprop::backward(const AlignedFloats& parameters, std::size_t rows, bool add, AlignedFloats& gradient) {
    const float* slopes = output_slopes_.data();
    for (std::size_t layer = layout_.layers(); layer-- > 0;) {
        const LayerShape& shape = layout_.shape(layer);
        weight_gradient(shape, rows, values_[layer].data(), slopes, add, scratch_.data(),
                        gradient.data() + layout_.offset(layer));
        if (layer == 0) break;
        input_gradient(shape, rows, parameters.data() + layout_.offset(layer), slopes, values_[layer].data(),
                       next_slopes_.data());
        slopes_.swap(next_slopes_);
        slopes = slopes_.data();
    }
}

}  // namespace polyrx
