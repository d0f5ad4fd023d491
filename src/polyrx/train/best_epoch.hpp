// SPDX-License-Identifier: Apache-2.0
// Early stopping: the weights of the epoch with the smallest validation loss, and when to give up on a smaller one.
#pragma once

#include <limits>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct BestEpoch {
    AlignedFloats parameters;  // before any epoch, those that the run began with
    int epoch = 0;             // 1-based
    double loss = std::numeric_limits<double>::infinity();

    // Of epoch `done`, 1-based.
    void offer(int done, double its_loss, const AlignedFloats& its_parameters) {
        if (!(its_loss < loss)) return;
        parameters = its_parameters;
        epoch = done;
        loss = its_loss;
    }
    // Whether `patience` epochs in a row were no better; with a patience of 0, never.
    [[nodiscard]] bool gives_up(int done, int patience) const { return patience > 0 && done - epoch >= patience; }
};

}  // namespace polyrx
