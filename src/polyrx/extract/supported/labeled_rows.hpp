// SPDX-License-Identifier: Apache-2.0
// Rows of a domain with what the network says of them: what a supported tree is grown on.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

struct LabeledRows {
    Matrix inputs;               // the rows that lie in the domain, in their order, then those that were drawn
    Matrix outcomes;             // by the network's forward pass
    std::vector<int> treatment;  // which the network prescribes by its rules, or no_treatment
    std::size_t given = 0;       // how many were not drawn

    [[nodiscard]] std::size_t size() const { return treatment.size(); }
};

// The given rows.
[[nodiscard]] LabeledRows label_rows(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                                     const Matrix& rows, int threads);

void add_drawn(LabeledRows& labeled, const Matrix& drawn, const ReluNetwork& network, const BoundRules& rules,
               int threads);

}  // namespace polyrx
