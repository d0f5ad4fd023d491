// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/backprop.hpp"

#include <algorithm>

#include "polyrx/train/teacher_loss.hpp"

namespace polyrx {
namespace {

// Calls use(range) for batch_lanes rows at a time.
template <class Use>
void for_lanes(RowRange range, Use use) {
    for (std::size_t done = 0; done < range.count; done += batch_lanes)
        use(RowRange{range.first + done, std::min(batch_lanes, range.count - done)});
}

}  // namespace

Backprop::Backprop(ParameterLayout layout, double teacher_share)
    : layout_(std::move(layout)), teacher_share_(teacher_share) {
    std::size_t widest = 0;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        const LayerShape& shape = layout_.shape(layer);
        values_.emplace_back((shape.inputs + 1) * batch_lanes);
        std::fill(values_.back().end() - batch_lanes, values_.back().end(), 1.0F);
        widest = std::max({widest, padded(shape.inputs), padded(shape.neurons)});
    }
    values_.emplace_back(padded(outputs()) * batch_lanes);
    // All are live until a forward pass finds otherwise; inputs and outputs always.
    for (std::size_t layer = 0; layer <= layout_.layers(); ++layer) {
        const bool last = layer == layout_.layers();
        live_count_.push_back(last ? outputs() : layout_.shape(layer).inputs);
        live_.emplace_back();
        for (std::size_t neuron = 0; neuron <= live_count_.back(); ++neuron)
            live_.back().emplace_back(neuron, last ? 0 : layout_.shape(layer).neurons);
    }
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
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        const LayerShape& shape = layout_.shape(layer);
        const bool hidden = layer + 1 < layout_.layers();
        float* out = values_[layer + 1].data();
        forward_layer(shape, rows, parameters.data() + layout_.offset(layer), values_[layer].data(),
                      live_and_ones(layer), hidden, out);
        if (!hidden) break;
        const std::size_t next_neurons = layout_.shape(layer + 1).neurons;
        std::vector<LiveNeuron>& live = live_[layer + 1];
        live_count_[layer + 1] = find_live(shape.neurons, next_neurons, rows, out, live.data());
        live[live_count_[layer + 1]] = LiveNeuron(shape.neurons, next_neurons);  // the row of ones
    }
}

BatchLoss Backprop::judge(const TrainingRows& rows, RowRange range, double mu, std::size_t batch) {
    const float* predicted = values_.back().data();
    BatchLoss loss = loss_and_slopes(predicted, outputs(), rows, range, mu, batch, output_slopes_.data());
    if (teacher_share_ > 0 && !rows.teacher.empty())
        loss.objective = mix_in_teacher(predicted, outputs(), rows, range, teacher_share_, batch, loss.objective,
                                        output_slopes_.data());
    return loss;
}

void Backprop::backward(const AlignedFloats& parameters, std::size_t rows, bool add, AlignedFloats& gradient) {
    const float* slopes = output_slopes_.data();
    for (std::size_t layer = layout_.layers(); layer-- > 0;) {
        const LayerShape& shape = layout_.shape(layer);
        const float* in = values_[layer].data();
        weight_gradient(shape, rows, in, live_and_ones(layer), slopes, add, scratch_.data(),
                        gradient.data() + layout_.offset(layer));
        if (layer == 0) break;
        input_gradient(shape, rows, parameters.data() + layout_.offset(layer), slopes, live(layer + 1), in, live(layer),
                       next_slopes_.data());
        slopes_.swap(next_slopes_);
        slopes = slopes_.data();
    }
}

}  // namespace polyrx
