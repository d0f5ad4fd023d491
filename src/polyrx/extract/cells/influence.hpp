// SPDX-License-Identifier: Apache-2.0
// Finds the undecided neuron with the largest effect on the outcomes of a cell.
#pragma once

#include "polyrx/extract/cells/cell.hpp"

namespace polyrx {

// The neuron of cell.undecided() whose state can change the gaps between outcomes most.
[[nodiscard]] Eigen::Index most_influential(const Cell& cell, const Cell::Undecided& undecided);

// The neuron whose relaxation loosens the upper bounds of the functions most at a point: the distance between its line
// and its ReLU there, times its weight. If all distances are 0, the most influential neuron.
[[nodiscard]] Eigen::Index most_relaxed(const Cell& cell, const Cell::Undecided& undecided,
                                        const std::vector<LayerFunction>& functions, const Vector& point);

}  // namespace polyrx
