// SPDX-License-Identifier: Apache-2.0
// Forward and backward passes of a network in training, with their buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/train/gradient/objective.hpp"
#include "polyrx/train/parameters.hpp"
#include "polyrx/train/step/effect_block.hpp"

namespace polyrx {

// Computes batch_lanes rows at a time, so that buffers fit the cache for any batch size. Buffers are allocated once.
class Backprop {
public:
    // If teacher_share is not 0, rows with a teacher have the distillation loss. In a network with an effect block
    // (part_blocks), weights between hidden neurons of different blocks are not read, and their gradient is undefined.
    explicit Backprop(ParameterLayout layout, double teacher_share = 0, EffectBlock effects = {});

    [[nodiscard]] const ParameterLayout& layout() const { return layout_; }

    // Call these four in this order, for at most batch_lanes rows (batch_gradient.hpp).

    void take(const TrainingRows& rows, RowRange range);
    void forward(const AlignedFloats& parameters, std::size_t rows);
    // `batch` is the number of rows in the mean.
    BatchLoss judge(const TrainingRows& rows, RowRange range, double mu, std::size_t batch);
    // Sums the gradient of these rows from 0. Adds the sum to `gradient` if `add`, otherwise replaces it.
    void backward(const AlignedFloats& parameters, std::size_t rows, bool add, AlignedFloats& gradient);

private:
    [[nodiscard]] std::size_t outputs() const { return layout_.shape(layout_.layers() - 1).neurons; }

    // What a part of a layer reads. With an effect block, layers between hidden neurons have one part per block.
    enum class Block : std::uint8_t { outcome, effects, both };
    [[nodiscard]] bool parted(std::size_t layer) const;
    [[nodiscard]] NumberRange hidden_block(std::size_t width, Block block) const;
    template <class Use>  // use(part, block)
    void for_parts(std::size_t layer, const Use& use) const;

    // The live inputs of a layer, or the outputs behind the last layer. The row of ones follows each block that a part
    // reads separately.
    struct LiveList {
        std::vector<LiveNeuron> neurons;
        NumberRange outcome;  // all neurons, without an effect block
        NumberRange effects;
    };
    [[nodiscard]] Live live(std::size_t layer, Block block) const;
    void find_live_inputs(std::size_t layer, std::size_t rows);

    ParameterLayout layout_;
    double teacher_share_;
    EffectBlock effects_;
    // Inputs, then each layer's values after its ReLU, each followed by a row of ones; then the outputs.
    std::vector<AlignedFloats> values_;
    std::vector<LiveList> live_;  // for each of the values
    AlignedFloats output_slopes_;
    AlignedFloats slopes_;
    AlignedFloats next_slopes_;
    AlignedFloats scratch_;
};

}  // namespace polyrx
