// SPDX-License-Identifier: Apache-2.0
// A prior on effects: what rows do not tell apart, treatments share.
#pragma once

#include <cstddef>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

// Adds lambda w sum_k (f_k - mean f)^2 to the loss of each row, with w its weight and f the predicted outcomes. Where a
// kind of row never received a treatment, nothing in the data says what that would have done, and a network whose
// weights are kept small says that its outcome is an ordinary one, however unusual the row's outcomes are with what it
// did receive. With this it says that the treatments are alike there, but for what it has learned of their differences
// elsewhere.
//
// Arguments are those of loss_and_slopes(), which comes before: `slopes` are changed to the derivatives of the new
// loss. Returns the sum of what is added.
[[nodiscard]] double add_effect_penalty(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                        RowRange range, double lambda, std::size_t batch, float* slopes);

}  // namespace polyrx
