// SPDX-License-Identifier: Apache-2.0
// The complete state of a training run between two steps: a run can continue from any such state.
#pragma once

#include <cstdint>

#include "polyrx/core/matrix.hpp"
#include "polyrx/train/step/sparsity_mask.hpp"

namespace polyrx {

// Running means of the gradient and of its square, by parameter.
struct AdamMoments {
    AlignedFloats first;
    AlignedFloats second;
    friend bool operator==(const AdamMoments&, const AdamMoments&) = default;
};

struct TrainingState {
    AlignedFloats parameters;
    AdamMoments moments;
    std::int64_t steps = 0;  // taken so far
    SparsityMask mask = {};  // empty without pruning
    friend bool operator==(const TrainingState&, const TrainingState&) = default;
};

}  // namespace polyrx
