// SPDX-License-Identifier: Apache-2.0
// A region: the part of a domain where one activation pattern holds and one treatment is best (Theorem 3.1).
#pragma once

#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/affine_piece.hpp"

namespace polyrx {

// One inequality of a region: function >= 0. Where it is an equality the row belongs to the side that forward() says:
// a neuron is off at 0, and of equal outcomes the first counts.
struct RegionSide {
    enum class From { neuron, outcomes };
    AffineFunction function;
    From from = From::neuron;
    int first = 0;   // layer; the better treatment
    int second = 0;  // neuron; the other treatment
};

struct Region {
    Pattern pattern;
    int treatment = 0;
    std::vector<RegionSide> sides;         // none follows from the others and the domain
    Vector inside;                         // a point in it, with whole numbers taken as real ones
    std::vector<AffineFunction> outcomes;  // of every treatment
};

}  // namespace polyrx
