// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/forward_error.hpp"

namespace polyrx {

std::vector<Vector> forward_errors(const ReluNetwork& network, const Vector& magnitudes) {
    constexpr double u = 0x1p-53;
    // Covers underflow of products, and rounding of these sums themselves.
    constexpr double tiny = 1e-300;
    constexpr double a_little_more = 1 + 1e-9;
    std::vector<Vector> errors;
    Vector error = Vector::Zero(magnitudes.size());
    Vector magnitude = magnitudes;
    for (const Layer& layer : network.layers()) {
        const double terms = static_cast<double>(layer.weights.cols()) + 2;
        const double gamma = terms * u / (1 - terms * u);
        const Vector total = layer.weights.cwiseAbs() * magnitude + layer.bias.cwiseAbs();
        error = ((layer.weights.cwiseAbs() * error + gamma * total) * a_little_more).array() + tiny;
        magnitude = total * a_little_more + error;
        errors.push_back(error);
    }
    return errors;
}

}  // namespace polyrx
