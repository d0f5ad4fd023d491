// SPDX-License-Identifier: Apache-2.0
// Finds rules that seem to have no effect on a part of the domain, because the network satisfies them by itself.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/extract/cells/rule_truths.hpp"

namespace polyrx {

// Uses sample rows spread evenly over the domain. The result is a heuristic that saves proofs that would fail; no
// proof depends on it.
class IdleRules {
public:
    IdleRules(const ReluNetwork& network, const RuleGround& rules);

    using Samples = std::vector<Eigen::Index>;  // row indices
    [[nodiscard]] Samples all() const;
    // The samples on one side of a hyperplane.
    [[nodiscard]] Samples on_side(const Samples& samples, const AffineFunction& function, bool yes) const;

    // Whether the rule applies to some samples and never forbids what is prescribed without it.
    [[nodiscard]] bool is_idle(std::size_t rule, const Samples& samples) const;

private:
    Matrix rows_;
    std::vector<std::vector<char>> applies_;  // by rule, then row
    std::vector<std::vector<char>> changes_;
};

}  // namespace polyrx
