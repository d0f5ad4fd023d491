// SPDX-License-Identifier: Apache-2.0
// How far values computed in double precision can be from the real ones: splits, and outcomes of the forward pass.
//
// A sum of n products and a constant, added up in any order, fused or not, is off by at most
//     gamma (sum_j |w_j x_j| + |c|) + tiny,   gamma = (n + 2) u / (1 - (n + 2) u),   u = 2^-53
// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, Section 3.1), where tiny is for products that
// underflow, unless something overflows; then the bounds here are infinite. Rounding is to nearest, and rows are
// finite.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/verify/linear_bounds.hpp"

namespace polyrx::checking {

// Rounded up.
[[nodiscard]] double gamma(Eigen::Index terms);
// n products that underflow lose n times half the smallest denormal number. This is more, and arithmetic with it fast.
inline constexpr double tiny = 1e-300;

// Bounds |computed w·x + c - real| for every row of the box.
[[nodiscard]] double split_error(const AffineFunction& function, const Box& box);

struct ForwardError {
    std::vector<double> outcomes;  // bounds |computed - real| of each
    // Which neurons of the last hidden layer (inputs, if there is none) may be other than exactly 0 when computed.
    // Means nothing where the errors are infinite.
    std::vector<char> live;
};

// For rows of which `known` is true.
[[nodiscard]] ForwardError forward_error(const ReluNetwork& network, const Known& known);

}  // namespace polyrx::checking
