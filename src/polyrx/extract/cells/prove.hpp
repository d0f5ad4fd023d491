// SPDX-License-Identifier: Apache-2.0
// Finds the certificate of a leaf: a proof that network and rules prescribe one treatment, or none, on all of a cell.
#pragma once

#include <cstddef>
#include <optional>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/tree/certificate.hpp"

namespace polyrx {

// Returns nothing if the relaxation does not prove it with this many cases of rules and undecided neurons. The cell's
// constraints are those of the certificate, in the same order.
[[nodiscard]] std::optional<Certificate> prove_leaf(const Cell& cell, const RuleGround& rules, int treatment,
                                                    std::size_t most_cases);

// For a cell that its last constraint makes empty: any claim about its rows holds.
[[nodiscard]] std::optional<Certificate> prove_empty_leaf(const Cell& cell);

}  // namespace polyrx
