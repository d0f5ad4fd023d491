// SPDX-License-Identifier: Apache-2.0
// Finds rows for which every allowed treatment is one that similar rows rarely received.
//
// Support is relative to what rules allow, so these rows still receive a treatment (docs/support.md). It is based on
// few rows or none, which a prescription does not show. Therefore the rows are counted.
#pragma once

#include <cstddef>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// Rows for which the rules allow a treatment, but none that would be supported if the rules allowed all: e_k < epsilon
// max_j e_j for every allowed k, with j over all treatments.
[[nodiscard]] std::size_t count_only_unsupported(const BoundRules& rules, const Matrix& rows);
// The columns must have asked_inputs().
[[nodiscard]] std::size_t count_only_unsupported(const BoundRules& rules, const InputColumns& columns);

}  // namespace polyrx
