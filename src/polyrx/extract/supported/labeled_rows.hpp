// SPDX-License-Identifier: Apache-2.0
// Rows of a domain with the network's outcomes and prescriptions: the training rows of a supported tree.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

struct LabeledRows {
    Matrix inputs;               // rows in the domain, in order, then drawn rows
    Matrix outcomes;             // from the network's forward pass
    std::vector<int> treatment;  // prescribed by network and rules, or no_treatment
    std::size_t given = 0;       // number of rows that were not drawn

    [[nodiscard]] std::size_t size() const { return treatment.size(); }
};

// Labels the given rows.
[[nodiscard]] LabeledRows label_rows(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                                     const Matrix& rows, int threads);

void add_drawn(LabeledRows& labeled, const Matrix& drawn, const ReluNetwork& network, const BoundRules& rules,
               int threads);

}  // namespace polyrx
