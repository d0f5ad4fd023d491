// SPDX-License-Identifier: Apache-2.0
// The self-assessed value of a policy, which is not evidence.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// Equation (1) of the paper: the mean of the observed outcome if the row received its prescription, otherwise of the
// outcome predicted for the prescription. `predicted` is rows x K.
[[nodiscard]] double self_assessed_value(std::span<const int> prescribed, const Matrix& predicted,
                                         const Observations& observations);

}  // namespace polyrx
