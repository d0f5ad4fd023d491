// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx::checking {
namespace {

// Bounds of the error and the magnitude of a computed number.
struct Computed {
    double error = 0;
    double magnitude = 0;
};

// gamma S + tiny, where S = sum_j |w_j x_j| + |c|. Partial sums are at most S + gamma S + tiny; infinite if that
// overflows.
Computed rounded(double S, Eigen::Index terms) {
    const double error = add_up(multiply_up(gamma(terms), S), tiny);
    const double magnitude = add_up(S, error);
    return {magnitude < infinity ? error : infinity, magnitude};
}

}  // namespace

double gamma(Eigen::Index terms) {
    const Interval nu = Interval(static_cast<double>(terms + 2)) * 0x1p-53;
    return (nu / (Interval(1) - nu)).upper;  // the divisor is near 1 for any network that fits in memory
}

double split_error(const AffineFunction& function, const Box& box) {
    double S = std::abs(function.constant);
    for (Eigen::Index j = 0; j < function.weights.size(); ++j)
        S = add_up(S, multiply_up(std::abs(function.weights[j]), magnitude(box[j])));
    return rounded(S, function.weights.size()).error;
}

ForwardError forward_error(const ReluNetwork& network, const Known& known) {
    std::vector<Computed> before(static_cast<std::size_t>(network.inputs()));
    for (std::size_t j = 0; j < before.size(); ++j) before[j] = {0, magnitude(known.box[static_cast<Eigen::Index>(j)])};

    ForwardError result;
    bool overflow = false;
    for (std::size_t layer = 0; layer < network.layers().size(); ++layer) {
        const Layer& weights = network.layers()[layer];
        const bool hidden = layer + 1 < network.layers().size();
        if (!hidden)
            for (const Computed& value : before) result.live.push_back(value.magnitude > 0);
        std::vector<Computed> after;
        for (Eigen::Index i = 0; i < weights.weights.rows(); ++i) {
            const double* row = weights.weights.data() + i * weights.weights.cols();
            double S = std::abs(weights.bias[i]);
            double handed_on = 0;  // |sum_j w_j (computed - real)_j| <= sum_j |w_j| error_j
            for (std::size_t j = 0; j < before.size(); ++j) {
                if (before[j].magnitude == 0) continue;
                S = add_up(S, multiply_up(std::abs(row[j]), before[j].magnitude));
                handed_on = add_up(handed_on, multiply_up(std::abs(row[j]), before[j].error));
            }
            Computed value = rounded(S, weights.weights.cols());
            value.error = add_up(value.error, handed_on);
            if (hidden) {
                // relu is 1-Lipschitz, so the error does not grow. The computed z is at most u + error.
                const double largest = add_up(known.neurons[layer][static_cast<std::size_t>(i)].upper, value.error);
                if (largest <= 0)
                    value = {0, 0};
                else
                    value.magnitude = std::min(value.magnitude, largest);  // both are infinite if a sum may overflow
            }
            after.push_back(value);
            // An infinite neuron makes the next layer NaN even with weight 0.
            overflow = overflow || !(value.magnitude < infinity);
        }
        before = std::move(after);
    }
    for (const Computed& outcome : before) result.outcomes.push_back(overflow ? infinity : outcome.error);
    return result;
}

}  // namespace polyrx::checking
