// SPDX-License-Identifier: Apache-2.0
// Where the time of `polyrx fit` went.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// Seconds of the clock on the wall.
struct FitTimings {
    double read = 0;  // the data file and the schema, up to checked observations
    FitSeconds fit;
    double distill = 0;  // to a tree of few leaves
    double write = 0;    // the model file
    double total = 0;
};

struct Stage {
    std::string_view name;
    double seconds = 0;
};

// In their order. The last, "other", is what those before it leave of the total, such as giving memory back; so all of
// them together are the total.
[[nodiscard]] std::vector<Stage> stages(const FitTimings& timings);

// A line for each stage, the total, and the instructions that training used; no line break at the end.
[[nodiscard]] std::string timings_table(const FitTimings& timings);

}  // namespace polyrx
