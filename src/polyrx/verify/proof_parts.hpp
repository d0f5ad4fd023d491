// SPDX-License-Identifier: Apache-2.0
// What the steps of proofs have in common, whatever they prove: constraints, weak duality, bounds, order.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/certificate.hpp"
#include "polyrx/verify/linear_bounds.hpp"

namespace polyrx::checking {

// s(x) = sign function(x) - margin >= 0
struct Constraint {
    const AffineFunction* function = nullptr;
    double sign = 1;  // or -1
    double margin = 0;
};
using Constraints = std::vector<Constraint>;

// Throws a data error for inputs and neurons that the network does not have.
void check_names(const std::vector<BoundProof>& bounds, const ReluNetwork& network);

// Weak duality: where all s_i(x) >= 0, and for y_i >= 0, form(x) <= form(x) + sum_i y_i s_i(x), which is returned.
[[nodiscard]] LinearForm lagrangian(LinearForm form, const std::vector<Multiplier>& multipliers,
                                    const Constraints& constraints);

// Learns the bounds of a step. Inputs first, then layer after layer, since each rests on those before it.
void narrow(Known& known, const std::vector<BoundProof>& proofs, const Constraints& constraints,
            const LinearBounds& bounds, Eigen::Index inputs);

// Rounding never swaps two numbers, and both outcomes are summed in the same order. So if what comes in is at least 0,
// no weight of ours on it is above the rival's and neither is our bias, then each computed partial sum, and the
// outcome, is not above the rival's either. What is exactly 0 does not count; if all is, the outcomes are the biases.
// Returns a bound of the computed difference, or nothing if this proves nothing. `live` is ForwardError's, and its
// errors must be finite.
[[nodiscard]] std::optional<double> gap_by_order(const ReluNetwork& network, int treatment, int rival,
                                                 const std::vector<char>& live);

// Ties go to the lower index.
[[nodiscard]] inline bool prefers(int treatment, int rival, double gap) {
    return treatment < rival ? gap <= 0 : gap < 0;
}

}  // namespace polyrx::checking
