// SPDX-License-Identifier: Apache-2.0
// A region: the part of a domain with one activation pattern and one best treatment (Theorem 3.1).
#pragma once

#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/affine_piece.hpp"

namespace polyrx {

// One inequality of a region: function >= 0. Rows with equality follow forward(): a neuron is inactive at 0, and ties
// between outcomes go to the first.
struct RegionSide {
    enum class From { neuron, outcomes };
    AffineFunction function;
    From from = From::neuron;
    int first = 0;   // layer, or the better treatment
    int second = 0;  // neuron, or the other treatment
};

struct Region {
    Pattern pattern;
    int treatment = 0;
    std::vector<RegionSide> sides;         // without redundant ones
    Vector inside;                         // an interior point, ignoring integrality
    std::vector<AffineFunction> outcomes;  // by treatment
};

}  // namespace polyrx
