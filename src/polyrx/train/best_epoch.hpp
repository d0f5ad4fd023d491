// SPDX-License-Identifier: Apache-2.0
// Early stopping: keeps the weights with the smallest validation loss, and decides when to stop.
#pragma once

#include <limits>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct BestEpoch {
    AlignedFloats parameters;  // the initial weights before the first epoch
    int epoch = 0;             // 1-based
    double loss = std::numeric_limits<double>::infinity();

    // Offers the weights after epoch `done`, 1-based.
    void offer(int done, double its_loss, const AlignedFloats& its_parameters) {
        if (!(its_loss < loss)) return;
        parameters = its_parameters;
        epoch = done;
        loss = its_loss;
    }
    // True after `patience` epochs without improvement; never with a patience of 0.
    [[nodiscard]] bool gives_up(int done, int patience) const { return patience > 0 && done - epoch >= patience; }
};

}  // namespace polyrx
