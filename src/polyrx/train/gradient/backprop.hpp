// SPDX-License-Identifier: Apache-2.0
// Forward and backward passes of a network in training, with their buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/train/gradient/objective.hpp"
#include "polyrx/train/parameters.hpp"
#include "polyrx/train/step/effect_block.hpp"

namespace polyrx {

// Rows are computed batch_lanes at a time, so the buffers stay in cache whatever the size of a batch; they are as large
// as they will ever be from the start.
class Backprop {
public:
    // With a teacher's share, the loss of rows that have a teacher is that of distillation. Of a network in two blocks
    // (part_blocks), weights between hidden neurons of different blocks are not read, and their gradient means nothing.
    explicit Backprop(ParameterLayout layout, double teacher_share = 0, EffectBlock effects = {});

    [[nodiscard]] const ParameterLayout& layout() const { return layout_; }

    // A pass over at most batch_lanes rows is these four, in this order (batch_gradient.hpp).

    void take(const TrainingRows& rows, RowRange range);
    void forward(const AlignedFloats& parameters, std::size_t rows);
    // `batch` is how many rows the mean is over.
    BatchLoss judge(const TrainingRows& rows, RowRange range, double mu, std::size_t batch);
    // The gradient of these rows, summed from 0: added to what is there when `add`, else in its place.
    void backward(const AlignedFloats& parameters, std::size_t rows, bool add, AlignedFloats& gradient);

private:
    [[nodiscard]] std::size_t outputs() const { return layout_.shape(layout_.layers() - 1).neurons; }

    // What a part of a layer reads: of a network in two blocks, layers between hidden neurons have a part for each.
    enum class Block : std::uint8_t { outcome, effects, both };
    [[nodiscard]] bool parted(std::size_t layer) const;
    [[nodiscard]] NumberRange hidden_block(std::size_t width, Block block) const;
    template <class Use>  // use(part, block)
    void for_parts(std::size_t layer, const Use& use) const;

    // The live inputs of a layer (or the outputs, behind the last) and where they are written down. The row of ones
    // follows each block that a part reads by itself.
    struct LiveList {
        std::vector<LiveNeuron> neurons;
        NumberRange outcome;  // all, in a network of one block
        NumberRange effects;
    };
    [[nodiscard]] Live live(std::size_t layer, Block block) const;
    void find_live_inputs(std::size_t layer, std::size_t rows);

    ParameterLayout layout_;
    double teacher_share_;
    EffectBlock effects_;
    // Inputs, then each layer's values after its ReLU, all with a row of ones behind them; then the outputs.
    std::vector<AlignedFloats> values_;
    std::vector<LiveList> live_;  // of each of the values
    AlignedFloats output_slopes_;
    AlignedFloats slopes_;
    AlignedFloats next_slopes_;
    AlignedFloats scratch_;
};

}  // namespace polyrx
