// SPDX-License-Identifier: Apache-2.0
// Seeded splits of rows into two parts or into folds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

struct RowSplit {
    std::vector<std::size_t> kept;      // ascending
    std::vector<std::size_t> held_out;  // ascending
};

// rows[places[0]], rows[places[1]], ...
[[nodiscard]] std::vector<std::size_t> picked(std::span<const std::size_t> rows, std::span<const std::size_t> places);

// Holds out round(share * rows) rows.
[[nodiscard]] RowSplit random_split(std::size_t rows, double share, std::uint64_t seed);

// Holds out the same share of every treatment. A treatment with at least two rows keeps at least one.
[[nodiscard]] RowSplit stratified_split(std::span<const int> treatment, double share, std::uint64_t seed);

// Stratified folds. Each row is held out by exactly one split. Fold sizes differ by at most one row, in total and per
// treatment. A treatment with at least two rows keeps at least one in every split.
[[nodiscard]] std::vector<RowSplit> k_folds(std::span<const int> treatment, std::size_t folds, std::uint64_t seed);

}  // namespace polyrx
