// SPDX-License-Identifier: Apache-2.0
// Clips the norm of the gradient, which limits the effect of one batch.
#pragma once

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// The Euclidean norm, with the same bits on every machine. Squares of floats do not overflow in float64, so it is
// finite if and only if every slope is.
[[nodiscard]] double gradient_norm(const AlignedFloats& gradient);

// Scales the gradient down to norm `largest` if its norm is larger, and returns the norm before clipping. If that is
// not finite, the run has diverged and the gradient stays unchanged.
[[nodiscard]] double clip_gradient(AlignedFloats& gradient, double largest);

}  // namespace polyrx
