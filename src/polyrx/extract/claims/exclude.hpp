// SPDX-License-Identifier: Apache-2.0
// Finds the proof that a treatment is prescribed nowhere in a cell, or points where it may be.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

// `others` are treatments allowed for every row of the cell. A proof keeps `room` times the rounding error of the
// forward pass away from a tie. Without a proof, adds points where none of the others is shown to be better.
[[nodiscard]] std::optional<Exclusion> exclude(Cell& cell, int treatment, TreatmentSet others, double room,
                                               std::vector<Vector>& points);

}  // namespace polyrx
