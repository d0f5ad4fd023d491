// SPDX-License-Identifier: Apache-2.0
// In which of many rows a half-space holds, in vectors as wide as the machine has them, chosen when the program runs.
// Every target gives what HalfSpace::holds() says of each row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// Bit i % 8 of holds[i / 8] becomes 1 where it holds for row i, else 0. The columns have the half-space's inputs; bits
// behind the last row mean nothing.
void mark_half_space(const HalfSpace& half_space, const InputColumns& columns, std::uint8_t* holds);

}  // namespace polyrx
