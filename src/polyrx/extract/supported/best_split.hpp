// SPDX-License-Identifier: Apache-2.0
// Finds the candidate with the best gain at a node; among nearly equal ones, the most readable.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/extract/supported/candidate_splits.hpp"

namespace polyrx {

struct ScoredSplit {
    AffineFunction function;
    SplitOrigin origin;
    double gain = 0;  // Gini gain on the examined rows, times the number of rows that each represents
};

// Splits within this share of the best gain count as equal. Among these, the order of preference is: fewer inputs; an
// unmoved split of the network over a moved one; larger gain; earlier candidate.
inline constexpr double near_best = 0.03;

// In a node with many rows, candidates race: all are compared on a sample, evenly spaced among the members, and those
// with the largest gains again on a larger one.
inline constexpr std::size_t rows_of_all_candidates = 1'500;
inline constexpr std::size_t rows_of_finalists = 8'000;
inline constexpr std::size_t most_finalists = 12;

[[nodiscard]] std::vector<Eigen::Index> evenly_spaced(std::span<const Eigen::Index> members, std::size_t most);

// The members are row numbers in order. Each side keeps at least `min_rows` given rows, or proportionally fewer in a
// sample. Returns nothing if no candidate gains.
[[nodiscard]] std::optional<ScoredSplit> best_split(const std::vector<CandidateSplit>& candidates, const Domain& domain,
                                                    const LabeledRows& rows, std::span<const Eigen::Index> members,
                                                    std::size_t min_rows, int threads);

}  // namespace polyrx
