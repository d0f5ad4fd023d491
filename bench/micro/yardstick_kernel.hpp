// SPDX-License-Identifier: Apache-2.0
// As much arithmetic as the machine can do, from registers only, with the instructions that the library would choose.
#pragma once

#include <cstddef>

namespace polyrx::bench {

// Return the flops done; `sum` keeps the compiler from leaving them out.
double fused_multiply_adds(std::size_t rounds, float& sum);
double multiplies_then_adds(std::size_t rounds, double& sum);

}  // namespace polyrx::bench
