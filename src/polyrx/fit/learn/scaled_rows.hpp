// SPDX-License-Identifier: Apache-2.0
// Scales rows of a study for training one network, and converts the network back to the user's units.
#pragma once

#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/fit/learn/prepare.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// The scalings use the kept rows only.
struct ScaledRows {
    Scaling inputs;
    OutcomeScaling outcome;
    TrainingRows kept;
    TrainingRows held_out;  // to choose the epoch; may be empty
};

// If `balance` is not 0, weights rows by inverse propensity, capped at `balance`. Throws a data error for rows that
// cannot be scaled, or whose outcomes float32 cannot distinguish.
[[nodiscard]] ScaledRows scale_rows(const NetworkStudy& study, const RowSplit& split, OutcomeScale scale,
                                    double balance = 0);

// Converts a network trained on scaled rows to encoded rows and the user's units. The result ignores inputs that were
// constant over the kept rows.
[[nodiscard]] ReluNetwork in_users_units(const ReluNetwork& trained, const ScaledRows& rows);

}  // namespace polyrx
