// SPDX-License-Identifier: Apache-2.0
// Folds that keep groups whole, so that no row is predicted by a model fitted on its own group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// Like k_folds, but holds out whole groups. Folds have similar shares of every treatment, as far as the groups allow.
// If every group is a single row, the result equals k_folds. Throws a usage error if there are fewer groups than folds.
[[nodiscard]] std::vector<RowSplit> grouped_folds(std::span<const int> treatment, std::span<const std::size_t> group,
                                                  std::size_t folds, std::uint64_t seed);

// The smaller of `wanted` and the number of groups or rows. Without groups, or with only one, folds hold out single
// rows.
[[nodiscard]] std::vector<RowSplit> folds_of(std::span<const int> treatment, std::span<const std::size_t> group,
                                             std::size_t wanted, std::uint64_t seed);

// Holds out whole groups in random order until they have the given share of the rows. Holds out at least one group if
// share > 0, and keeps at least one.
[[nodiscard]] RowSplit grouped_split(std::span<const std::size_t> group, double share, std::uint64_t seed);

}  // namespace polyrx
