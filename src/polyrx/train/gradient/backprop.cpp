// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/gradient/backprop.hpp"

#include <algorithm>

#include "polyrx/train/gradient/teacher_loss.hpp"

namespace polyrx {
namespace {

// Adds the row of ones, which follows the live neurons of each block.
Live and_ones(Live live) {
    return {live.data(), live.size() + 1};
}

}  // namespace

Backprop::Backprop(ParameterLayout layout, double teacher_share, EffectBlock effects)
    : layout_(std::move(layout)), teacher_share_(teacher_share), effects_(effects) {
    std::size_t widest = 0;
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        const LayerShape& shape = layout_.shape(layer);
        values_.emplace_back((shape.inputs + 1) * batch_lanes);
        std::fill(values_.back().end() - batch_lanes, values_.back().end(), 1.0F);
        widest = std::max({widest, padded(shape.inputs), padded(shape.neurons)});
    }
    values_.emplace_back(padded(outputs()) * batch_lanes);
    // Inputs and outputs are always live. Each forward pass finds the live hidden neurons.
    for (std::size_t layer = 0; layer <= layout_.layers(); ++layer) {
        const bool last = layer == layout_.layers();
        const std::size_t width = last ? outputs() : layout_.shape(layer).inputs;
        LiveList& live = live_.emplace_back();
        live.outcome = live.effects = {0, width};
        live.neurons.reserve(width + 2);  // a row of ones for each block
        for (std::size_t neuron = 0; neuron <= width; ++neuron)
            live.neurons.emplace_back(neuron, last ? 0 : layout_.shape(layer).neurons);
        live.neurons.emplace_back();
    }
    output_slopes_.resize(padded(outputs()) * batch_lanes);
    slopes_.resize(widest * batch_lanes);
    next_slopes_.resize(widest * batch_lanes);
    scratch_.resize(widest * batch_lanes);
}

bool Backprop::parted(std::size_t layer) const {
    return effects_.wanted() && layer > 0 && layer + 1 < layout_.layers();
}

NumberRange Backprop::hidden_block(std::size_t width, Block block) const {
    if (!effects_.wanted() || block == Block::both) return {0, width};
    const std::size_t outcome = outcome_neurons(effects_, width);
    return block == Block::outcome ? NumberRange{0, outcome} : NumberRange{outcome, width - outcome};
}

template <class Use>
void Backprop::for_parts(std::size_t layer, const Use& use) const {
    const LayerShape& shape = layout_.shape(layer);
    if (!parted(layer)) return use(LayerPart(shape), Block::both);
    for (const Block block : {Block::outcome, Block::effects})
        use(LayerPart(shape, hidden_block(shape.inputs, block), hidden_block(shape.neurons, block)), block);
}

Live Backprop::live(std::size_t layer, Block block) const {
    const LiveList& list = live_[layer];
    const std::size_t first = block == Block::effects ? list.effects.first : list.outcome.first;
    const std::size_t end = block == Block::outcome ? list.outcome.end() : list.effects.end();
    return Live(list.neurons).subspan(first, end - first);
}

void Backprop::find_live_inputs(std::size_t layer, std::size_t rows) {
    const LayerShape& shape = layout_.shape(layer);
    const float* values = values_[layer].data();
    const LiveNeuron ones(shape.inputs, shape.neurons);
    LiveList& list = live_[layer];
    LiveNeuron* at = list.neurons.data();
    const auto find = [&](Block block) {
        const NumberRange neurons = hidden_block(shape.inputs, block);
        const NumberRange found{static_cast<std::size_t>(at - list.neurons.data()),
                                find_live(neurons, shape.neurons, rows, values, at)};
        at += found.count;
        return found;
    };
    list.outcome = find(effects_.wanted() ? Block::outcome : Block::both);
    if (parted(layer)) *at++ = ones;
    list.effects = effects_.wanted() ? find(Block::effects) : list.outcome;
    *at = ones;
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
        if (layer > 0) find_live_inputs(layer, rows);
        const bool hidden = layer + 1 < layout_.layers();
        for_parts(layer, [&](const LayerPart& part, Block block) {
            forward_layer(part, rows, parameters.data() + layout_.offset(layer), values_[layer].data(),
                          and_ones(live(layer, block)), hidden, values_[layer + 1].data());
        });
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
        const auto weight_gradient_of = [&](const LayerPart& part, Live inputs) {
            weight_gradient(part, rows, in, inputs, slopes, add, scratch_.data(),
                            gradient.data() + layout_.offset(layer));
        };
        for_parts(layer, [&](const LayerPart& part, Block block) {
            const Live inputs = live(layer, block);
            weight_gradient_of(part, parted(layer) ? inputs : and_ones(inputs));
        });
        // Biases belong to all neurons. Two parts that share a vector would add to them twice.
        if (parted(layer))
            weight_gradient_of({shape, {shape.inputs, 1}, {0, shape.neurons}},
                               and_ones(live(layer, Block::effects)).last(1));
        if (layer == 0) break;
        for_parts(layer, [&](const LayerPart& part, Block block) {
            input_gradient(part, rows, parameters.data() + layout_.offset(layer), slopes, live(layer + 1, block), in,
                           live(layer, block), next_slopes_.data());
        });
        slopes_.swap(next_slopes_);
        slopes = slopes_.data();
    }
}

}  // namespace polyrx
