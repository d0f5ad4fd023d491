// SPDX-License-Identifier: Apache-2.0
// Distillation loss: a student learns from a teacher's outcomes for every treatment and from the observed outcome.
#pragma once

#include <cstddef>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

// The loss of a row becomes lambda v sum_k (g~_k - f~_k)^2 + (1 - lambda) l. Here l is its loss by objective (4), v the
// teacher's weight of the row, g the student's outputs, f the teacher's outcomes, and ~ subtracts the mean over
// treatments. Only differences between treatments determine prescriptions, and the data estimate the level better.
//
// Call after loss_and_slopes(), with the same arguments. `objective` is the sum of l. Returns the sum of the new loss,
// and updates `slopes` from the derivatives of l to those of the new loss.
[[nodiscard]] double mix_in_teacher(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                    RowRange range, double lambda, std::size_t batch, double objective, float* slopes);

}  // namespace polyrx
