// SPDX-License-Identifier: Apache-2.0
// Finds the proof that a treatment is not prescribed anywhere in a cell, or points where it may be.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

// `others` are allowed for every row of the cell. `room` is how many times the rounding of the forward pass a proof
// must keep away from a tie. Without a proof, points where none of the others is shown to be better are added.
[[nodiscard]] std::optional<Exclusion> exclude(Cell& cell, int treatment, TreatmentSet others, double room,
                                               std::vector<Vector>& points);

}  // namespace polyrx
