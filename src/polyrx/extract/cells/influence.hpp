// SPDX-License-Identifier: Apache-2.0
// Which undecided neuron matters most to the outcomes of a cell.
#pragma once

#include "polyrx/extract/cells/cell.hpp"

namespace polyrx {

// The neuron of cell.undecided() whose being on or off can move the gaps between the outcomes most.
[[nodiscard]] Eigen::Index most_influential(const Cell& cell, const Cell::Undecided& undecided);

// The one whose relaxation costs most at a point, in upper bounds of the functions: how far its line is from its relu
// there, times its weight. Where that is nothing at all, the most influential one.
[[nodiscard]] Eigen::Index most_relaxed(const Cell& cell, const Cell::Undecided& undecided,
                                        const std::vector<LayerFunction>& functions, const Vector& point);

}  // namespace polyrx
