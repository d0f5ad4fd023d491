// SPDX-License-Identifier: Apache-2.0
// Distillation: a student learns from a teacher's outcomes of every treatment, beside the one outcome observed.
#pragma once

#include <cstddef>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

// The loss of a row becomes lambda v sum_k (g~_k - f~_k)^2 + (1 - lambda) l, where l is what objective (4) says of it,
// v the teacher's weight of the row, g the student's outputs, f the teacher's outcomes, and ~ takes off the mean over
// treatments: only differences between treatments decide who gets what, and the data know the level better.
//
// Arguments are those of loss_and_slopes(), which comes before: `objective` is the sum of l, of which the sum of the
// new loss is returned, and `slopes` are changed from the derivatives of the one to those of the other.
[[nodiscard]] double mix_in_teacher(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                    RowRange range, double lambda, std::size_t batch, double objective, float* slopes);

}  // namespace polyrx
