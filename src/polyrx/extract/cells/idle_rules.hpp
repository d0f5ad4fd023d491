// SPDX-License-Identifier: Apache-2.0
// Which rules seem to change nothing on a part of the domain, because the network obeys them by itself.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/extract/cells/rule_truths.hpp"

namespace polyrx {

// Rows spread evenly over the domain, with what the network says of them. A guess that saves proofs which would fail;
// nothing rests on it.
class IdleRules {
public:
    IdleRules(const ReluNetwork& network, const RuleGround& rules);

    using Samples = std::vector<Eigen::Index>;  // row numbers
    [[nodiscard]] Samples all() const;
    // Those on one side of a hyperplane.
    [[nodiscard]] Samples on_side(const Samples& samples, const AffineFunction& function, bool yes) const;

    // Whether the rule applies to some of the rows, and forbids what is prescribed without it to none.
    [[nodiscard]] bool is_idle(std::size_t rule, const Samples& samples) const;

private:
    Matrix rows_;
    std::vector<std::vector<char>> applies_;  // by rule and row
    std::vector<std::vector<char>> changes_;
};

}  // namespace polyrx
