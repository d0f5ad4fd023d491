// SPDX-License-Identifier: Apache-2.0
// Bounds how far the gradient of one unlucky batch can throw a network in training.
#pragma once

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// The Euclidean norm, with the same bits on every machine. Squares of floats cannot overflow in float64, so it is
// finite if and only if every slope is.
[[nodiscard]] double gradient_norm(const AlignedFloats& gradient);

// Scales the gradient down to a norm of `largest` if it has more, and returns the norm it had. One that is not finite
// says that the run diverged: the gradient is then left as it is, for nobody to use.
[[nodiscard]] double clip_gradient(AlignedFloats& gradient, double largest);

}  // namespace polyrx
