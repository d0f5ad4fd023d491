// SPDX-License-Identifier: Apache-2.0
// The gradient of a batch: the only place that sums gradients of rows.
//
// A batch is split into blocks of batch_lanes rows. The gradient of a block is summed from 0 in the order of its rows,
// and the gradients of blocks are added in their order. So the sum does not depend on which thread computes which
// block. A batch of up to batch_lanes rows is one block.
#pragma once

#include "polyrx/train/gradient/backprop.hpp"

namespace polyrx {

// The loss of the rows in `batch`.
[[nodiscard]] BatchLoss batch_loss(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows,
                                   RowRange batch, double mu);

// The same. Stores in `gradient` the derivative of the mean loss with respect to each parameter.
BatchLoss batch_gradient(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows, RowRange batch,
                         double mu, AlignedFloats& gradient);

}  // namespace polyrx
