// SPDX-License-Identifier: Apache-2.0
// Parts shared by all proofs: constraints, weak duality, bounds, order.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/certificate.hpp"
#include "polyrx/verify/linear_bounds.hpp"

namespace polyrx::checking {

// s(x) = sign * function(x) - margin >= 0
struct Constraint {
    const AffineFunction* function = nullptr;
    double sign = 1;  // or -1
    double margin = 0;
};
using Constraints = std::vector<Constraint>;

// Throws a data error for inputs and neurons that the network does not have.
void check_names(const std::vector<BoundProof>& bounds, const ReluNetwork& network);

// Weak duality: if all s_i(x) >= 0 and y_i >= 0, form(x) <= form(x) + sum_i y_i s_i(x), which is returned.
[[nodiscard]] LinearForm lagrangian(LinearForm form, const std::vector<Multiplier>& multipliers,
                                    const Constraints& constraints);

// Adds the bounds of a step: inputs first, then layer by layer, because each depends on those before it.
void narrow(Known& known, const std::vector<BoundProof>& proofs, const Constraints& constraints,
            const LinearBounds& bounds, Eigen::Index inputs);

// Rounding is monotone, and both outcomes are summed in the same order. If the layer's inputs are at least 0, and the
// weights and bias of `treatment` are at most the rival's, then so are its computed partial sums and its outcome.
// Values that are exactly 0 do not count; if all are 0, the outcomes are the biases. Returns a bound of the computed
// difference, or nothing if this argument does not apply. `live` is ForwardError's, and its errors must be finite.
[[nodiscard]] std::optional<double> gap_by_order(const ReluNetwork& network, int treatment, int rival,
                                                 const std::vector<char>& live);

// Ties go to the lower index.
[[nodiscard]] inline bool prefers(int treatment, int rival, double gap) {
    return treatment < rival ? gap <= 0 : gap < 0;
}

}  // namespace polyrx::checking
