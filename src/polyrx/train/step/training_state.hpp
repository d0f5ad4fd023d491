// SPDX-License-Identifier: Apache-2.0
// What a run of training carries from one step to the next, and nothing else: a run may be continued from it anywhere.
#pragma once

#include <cstdint>

#include "polyrx/core/matrix.hpp"
#include "polyrx/train/step/sparsity_mask.hpp"

namespace polyrx {

// Running means of the gradient and of its squares, by parameter.
struct AdamMoments {
    AlignedFloats first;
    AlignedFloats second;
    friend bool operator==(const AdamMoments&, const AdamMoments&) = default;
};

struct TrainingState {
    AlignedFloats parameters;
    AdamMoments moments;
    std::int64_t steps = 0;  // taken so far
    SparsityMask mask = {};  // empty of a run that prunes nothing
    friend bool operator==(const TrainingState&, const TrainingState&) = default;
};

}  // namespace polyrx
