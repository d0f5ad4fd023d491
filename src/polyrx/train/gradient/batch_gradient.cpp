// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/gradient/batch_gradient.hpp"

#include <algorithm>

namespace polyrx {
namespace {

// Calls use(block) for each block of a batch, and sums the returned losses.
template <class Use>
BatchLoss sum_over_blocks(RowRange batch, const Use& use) {
    BatchLoss sum;
    for (std::size_t done = 0; done < batch.count; done += batch_lanes)
        sum += use(RowRange{batch.first + done, std::min(batch_lanes, batch.count - done)});
    return sum;
}

}  // namespace

BatchLoss batch_loss(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows, RowRange batch,
                     double mu) {
    return sum_over_blocks(batch, [&](RowRange block) {
        backprop.take(rows, block);
        backprop.forward(parameters, block.count);
        return backprop.judge(rows, block, mu, batch.count);
    });
}

BatchLoss batch_gradient(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows, RowRange batch,
                         double mu, AlignedFloats& gradient) {
    return sum_over_blocks(batch, [&](RowRange block) {
        backprop.take(rows, block);
        backprop.forward(parameters, block.count);
        const BatchLoss loss = backprop.judge(rows, block, mu, batch.count);
        const bool add = block.first > batch.first;
        backprop.backward(parameters, block.count, add, gradient);
        return loss;
    });
}

}  // namespace polyrx
