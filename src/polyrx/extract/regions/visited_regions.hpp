// SPDX-License-Identifier: Apache-2.0
// The regions that rows of data fall into, and the number of rows per region and received treatment.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/network/affine_piece.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

struct Visits {
    std::size_t rows = 0;
    std::vector<std::size_t> received;  // rows per received treatment; empty if unknown
    std::size_t first = 0;              // the first of the rows
};

// By activation pattern and prescribed treatment.
using VisitedRegions = std::map<std::pair<Pattern, int>, Visits>;

// `received` has the treatment that each row received, or is empty.
[[nodiscard]] VisitedRegions visited_regions(const ReluNetwork& network, const Matrix& rows,
                                             const std::vector<int>& received, const Progress& progress = {});

[[nodiscard]] std::size_t pattern_count(const VisitedRegions& visited);

}  // namespace polyrx
