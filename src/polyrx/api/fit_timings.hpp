// SPDX-License-Identifier: Apache-2.0
// Timings of the stages of `polyrx fit`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// Wall-clock seconds.
struct FitTimings {
    double read = 0;  // reading and checking the data file and schema
    FitSeconds fit;
    double distill = 0;  // distillation to a small tree
    double write = 0;    // writing the model file
    double total = 0;
};

struct Stage {
    std::string_view name;
    double seconds = 0;
};

// In order. The last stage, "other", is the rest of the total, such as freeing memory, so the stages add up to the
// total.
[[nodiscard]] std::vector<Stage> stages(const FitTimings& timings);

// One line per stage, the total, and the instruction set used in training; no line break at the end.
[[nodiscard]] std::string timings_table(const FitTimings& timings);

}  // namespace polyrx
