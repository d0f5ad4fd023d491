// SPDX-License-Identifier: Apache-2.0
// Evaluates a half-space on many rows with SIMD, for the best instruction set at run time. All targets give the same
// result as HalfSpace::holds().
#pragma once

#include <cstddef>
#include <cstdint>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// Sets bit i % 8 of holds[i / 8] to 1 if the half-space holds for row i, otherwise to 0. The columns have the
// half-space's inputs. Bits after the last row are undefined.
void mark_half_space(const HalfSpace& half_space, const InputColumns& columns, std::uint8_t* holds);

}  // namespace polyrx
