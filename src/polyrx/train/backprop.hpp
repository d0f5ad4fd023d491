// SPDX-License-Identifier: Apache-2.0
// Forward and backward passes of a network in training, with their buffers.
#pragma once

#include <vector>

#include "polyrx/train/objective.hpp"
#include "polyrx/train/parameters.hpp"

namespace polyrx {

// Rows are computed batch_lanes at a time, so the buffers stay in cache whatever the size of a batch; they are as large
// as they will ever be from the start.
class Backprop {
public:
    // With a teacher's share, the loss of rows that have a teacher is that of distillation.
    explicit Backprop(ParameterLayout layout, double teacher_share = 0);

    [[nodiscard]] const ParameterLayout& layout() const { return layout_; }

    // The loss of some rows.
    BatchLoss loss(const AlignedFloats& parameters, const TrainingRows& rows, RowRange range, double mu);

    // The same, and in `gradient` the derivative of its mean in every parameter.
    BatchLoss gradient(const AlignedFloats& parameters, const TrainingRows& rows, RowRange range, double mu,
                       AlignedFloats& gradient);

    // What these two are made of, for at most batch_lanes rows, in this order.

    void take(const TrainingRows& rows, RowRange range);
    void forward(const AlignedFloats& parameters, std::size_t rows);
    // `batch` is how many rows the mean is over.
    BatchLoss judge(const TrainingRows& rows, RowRange range, double mu, std::size_t batch);
    // Adds to the gradient when `add`, else overwrites it.
    void backward(const AlignedFloats& parameters, std::size_t rows, bool add, AlignedFloats& gradient);

private:
    [[nodiscard]] std::size_t outputs() const { return layout_.shape(layout_.layers() - 1).neurons; }
    // The live inputs of a layer (or the outputs, behind the last), with or without the row of ones.
    [[nodiscard]] Live live(std::size_t layer) const { return {live_[layer].data(), live_count_[layer]}; }
    [[nodiscard]] Live live_and_ones(std::size_t layer) const { return {live_[layer].data(), live_count_[layer] + 1}; }

    ParameterLayout layout_;
    double teacher_share_;
    // Inputs, then each layer's values after its ReLU, all with a row of ones behind them; then the outputs.
    std::vector<AlignedFloats> values_;
    std::vector<std::vector<LiveNeuron>> live_;  // of each of the values, and then the row of ones
    std::vector<std::size_t> live_count_;
    AlignedFloats output_slopes_;
    AlignedFloats slopes_;
    AlignedFloats next_slopes_;
    AlignedFloats scratch_;
};

}  // namespace polyrx
