// SPDX-License-Identifier: Apache-2.0
// The candidate hyperplanes for the split of a supported tree's node.
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
    bool movable = false;  // its constant may be moved to the best cut
};

// In this order:
//   - a cut of every input that the domain bounds (movable);
//   - the neurons of the first layer, unchanged;
//   - for each pair a, b of the node's (at most three) most common treatments: the affine piece of f_a - f_b at a few
//     members, close outcomes first (movable);
//   - for the same pairs: affine fits of f_a - f_b over the members, see outcome_fit.hpp (movable).
// The members are row numbers, at least one. No candidate has a weight on an unbounded input.
[[nodiscard]] std::vector<CandidateSplit> candidate_splits(const ReluNetwork& network, const Domain& domain,
                                                           const LabeledRows& rows,
                                                           std::span<const Eigen::Index> members,
                                                           const TreatmentCounts& counts);

// The comparisons that decide support, each once, unchanged. None has a weight on an unbounded input.
[[nodiscard]] std::vector<CandidateSplit> support_splits(const BoundRules& rules, const Domain& domain);

}  // namespace polyrx
