// SPDX-License-Identifier: Apache-2.0
// Rows whose rules go beyond what the data support: every treatment that is allowed is one that such rows hardly ever
// received.
//
// Support is relative to what rules allow, so these rows still get a treatment (docs/support.md). It rests on few rows
// or none, and nothing in a prescription shows that. Therefore the rows are counted.
#pragma once

#include <cstddef>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// Rows for which the rules allow a treatment, but none that would be supported if they allowed all of them:
// e_k < epsilon max_j e_j for every allowed k, with j over all treatments.
[[nodiscard]] std::size_t count_only_unsupported(const BoundRules& rules, const Matrix& rows);
// The columns must have asked_inputs().
[[nodiscard]] std::size_t count_only_unsupported(const BoundRules& rules, const InputColumns& columns);

}  // namespace polyrx
