// SPDX-License-Identifier: Apache-2.0
// The policies whose regions and trees are timed: of random weights, and fitted on simulated data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "polyrx/policy/policy.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx::bench {

struct Study {
    Policy policy;
    Table rows;  // of the policy's features
};

struct RandomNetwork {
    std::vector<int> hidden;
    int inputs = 0;
    bool sparse = false;  // one weight for each neuron of the first layer
    bool binary = true;   // with 20 inputs or more the second half is 0 or 1; else all are real
    std::uint64_t seed = 1;
};

// Weights N(0, 1) * 1.4 / sqrt(fan-in), biases 0.3 N(0, 1), three treatments; inputs in [-2, 2], or 0 and 1. The rows
// are uniform.
[[nodiscard]] Study random_study(const RandomNetwork& network, std::size_t rows);

struct FittedNetwork {
    std::string data;         // "1" to "6", the paper's, or "clinic"
    std::string recipe;       // "paper" or "fast"
    std::vector<int> hidden;  // empty: the recipe's
    int inputs = 0;           // of the paper's data: the first of its 20 features, or two draws side by side; 0 is all
};

// As `polyrx simulate DATA -n ROWS` and `polyrx fit --recipe RECIPE` make them.
[[nodiscard]] Study fitted_study(const FittedNetwork& network, std::size_t rows);

}  // namespace polyrx::bench
