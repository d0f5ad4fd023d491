// SPDX-License-Identifier: Apache-2.0
// The candidate that parts the rows of a node best, and of near equals the one that is easiest to read.
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
    double gain = 0;  // Gini gain over the rows that were looked at, times how many rows each of them stands for
};

// A split within this share of the best gain counts as good as the best. Of those the one with the fewest inputs is
// taken, so a cut of one input first; then one that stands where the network has it rather than moved; then the larger
// gain; then the earlier candidate.
inline constexpr double near_best = 0.03;

// In a node with many rows the candidates race: all are compared on some rows, evenly spaced among the members, and
// those with the largest gains once more on some more rows.
inline constexpr std::size_t rows_of_all_candidates = 1'500;
inline constexpr std::size_t rows_of_finalists = 8'000;
inline constexpr std::size_t most_finalists = 12;

[[nodiscard]] std::vector<Eigen::Index> evenly_spaced(std::span<const Eigen::Index> members, std::size_t most);

// The members are row numbers in order. Each side keeps at least `min_rows` given rows, or their share where only some
// rows are looked at. Nothing if no candidate gains.
[[nodiscard]] std::optional<ScoredSplit> best_split(const std::vector<CandidateSplit>& candidates, const Domain& domain,
                                                    const LabeledRows& rows, std::span<const Eigen::Index> members,
                                                    std::size_t min_rows, int threads);

}  // namespace polyrx
