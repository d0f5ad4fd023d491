// SPDX-License-Identifier: Apache-2.0
// The hyperplanes that growth may choose from at a node of a supported tree.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polyrx/extract/supported/gini.hpp"
#include "polyrx/extract/supported/labeled_rows.hpp"
#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct CandidateSplit {
    AffineFunction function;
    SplitOrigin origin;
    bool movable = false;  // its constant may be moved to where the cut is best
};

// In this order:
//   - a cut of every input that the domain bounds, to be moved;
//   - the neurons of the first layer as they stand;
//   - for each pair of the (at most three) commonest treatments a, b of the node: the affine piece of f_a - f_b at a
//   few
//     members, those where the two outcomes are close first, to be moved;
//   - for the same pairs, affine fits of f_a - f_b over the members (see outcome_fit.hpp), to be moved.
// The members are row numbers, at least one. None has a weight on an unbounded input.
[[nodiscard]] std::vector<CandidateSplit> candidate_splits(const ReluNetwork& network, const Domain& domain,
                                                           const LabeledRows& rows,
                                                           std::span<const Eigen::Index> members,
                                                           const TreatmentCounts& counts);

// The comparisons that decide support, each once, as they stand. None has a weight on an unbounded input.
[[nodiscard]] std::vector<CandidateSplit> support_splits(const BoundRules& rules, const Domain& domain);

}  // namespace polyrx
