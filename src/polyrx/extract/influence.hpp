// SPDX-License-Identifier: Apache-2.0
// Which undecided neuron matters most to the outcomes of a cell.
#pragma once

#include "polyrx/extract/cell.hpp"

namespace polyrx {

// The neuron of cell.undecided() whose being on or off can move the gaps between the outcomes most.
[[nodiscard]] Eigen::Index most_influential(const Cell& cell, const Cell::Undecided& undecided);

}  // namespace polyrx
