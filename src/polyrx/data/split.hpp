// SPDX-License-Identifier: Apache-2.0
// Seeded splits of rows into two parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

struct Split {
    std::vector<std::size_t> kept;      // ascending
    std::vector<std::size_t> held_out;  // ascending
};

// Holds out round(share * rows) rows.
[[nodiscard]] Split random_split(std::size_t rows, double share, std::uint64_t seed);

// The same share of every treatment; a treatment with at least two rows keeps at least one.
[[nodiscard]] Split stratified_split(std::span<const int> treatment, double share, std::uint64_t seed);

}  // namespace polyrx
