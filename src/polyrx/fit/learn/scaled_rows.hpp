// SPDX-License-Identifier: Apache-2.0
// Rows of a study as one network in training sees them, and the way back to the user's units.
#pragma once

#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/fit/learn/prepare.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// Scaled by the kept rows alone.
struct ScaledRows {
    Scaling inputs;
    OutcomeScaling outcome;
    TrainingRows kept;
    TrainingRows held_out;  // to choose the epoch; may be none
};

// Where `balance` is not 0, rows count by their inverse propensity, at most so many times. Throws a data error for rows
// that cannot be scaled, or whose outcomes float32 cannot tell apart.
[[nodiscard]] ScaledRows scale_rows(const NetworkStudy& study, const RowSplit& split, OutcomeScale scale,
                                    double balance = 0);

// What was trained on scaled rows, on encoded rows and in the user's units. It ignores inputs that were the same in
// every kept row.
[[nodiscard]] ReluNetwork in_users_units(const ReluNetwork& trained, const ScaledRows& rows);

}  // namespace polyrx
