// SPDX-License-Identifier: Apache-2.0
// Folds that keep groups whole, so that nothing is judged by a model that saw its sibling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// As k_folds, but rows of the same group are held out together. Folds have about the same share of every treatment, as
// far as whole groups allow; where every group is a single row they are those of k_folds. Throws a usage error where
// there are fewer groups than folds.
[[nodiscard]] std::vector<RowSplit> grouped_folds(std::span<const int> treatment, std::span<const std::size_t> group,
                                                  std::size_t folds, std::uint64_t seed);

// As many folds as are wanted, but no more than there are groups, or rows. Without groups, or with a single one, rows
// are held out one by one.
[[nodiscard]] std::vector<RowSplit> folds_of(std::span<const int> treatment, std::span<const std::size_t> group,
                                             std::size_t wanted, std::uint64_t seed);

// As stratified_split, but whole groups are held out, in random order until they have the share of the rows. At least
// one group is held out if share > 0, and at least one is kept.
[[nodiscard]] RowSplit grouped_split(std::span<const std::size_t> group, double share, std::uint64_t seed);

}  // namespace polyrx
