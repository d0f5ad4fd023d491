// SPDX-License-Identifier: Apache-2.0
// The gradient of a batch: the one place where the gradients of rows are summed.
//
// A batch is cut into blocks of batch_lanes rows. The gradient of a block is summed from 0 in the order of its rows,
// and the gradients of blocks are added in the order of the blocks. The sum is therefore the same whoever computes
// which block. A batch of up to batch_lanes rows is one block.
#pragma once

#include "polyrx/train/gradient/backprop.hpp"

namespace polyrx {

// The loss of some rows.
[[nodiscard]] BatchLoss batch_loss(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows,
                                   RowRange batch, double mu);

// The same, and in `gradient` the derivative of its mean in every parameter.
BatchLoss batch_gradient(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows, RowRange batch,
                         double mu, AlignedFloats& gradient);

}  // namespace polyrx
