// SPDX-License-Identifier: Apache-2.0
// An affine function of the inputs: a neuron in one region, the difference of two outcomes, or the test of a split.
#pragma once

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct AffineFunction {
    Vector weights;
    double constant = 0;

    [[nodiscard]] double operator()(const Eigen::Ref<const Vector>& x) const { return weights.dot(x) + constant; }
    [[nodiscard]] AffineFunction operator-() const { return {-weights, -constant}; }
    friend bool operator==(const AffineFunction& a, const AffineFunction& b) {
        return a.weights == b.weights && a.constant == b.constant;
    }
};

}  // namespace polyrx
