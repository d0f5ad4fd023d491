// SPDX-License-Identifier: Apache-2.0
// Ranks rows with equal features, so that splits can distinguish them without using treatment or outcome.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

struct RankedRows {
    std::vector<std::uint64_t> features;  // a hash of each row's features
    // Rank among rows with equal features, by treatment label, then outcome, then weight. Ties are in any order.
    std::vector<std::uint32_t> rank;
    std::vector<std::uint64_t> content;  // a hash of each row's features, treatment and outcome
    bool repeats = false;                // some rows have equal features
    std::string sha256;                  // of the set of all contents, independent of row order
};

// What rows are ranked by. All but `features` have one value per row; `weight` may be empty.
struct RowContents {
    const Table& features;
    std::span<const std::string> treatment;  // labels; empty if missing
    std::span<const double> outcome;         // NaN where missing
    std::span<const double> weight = {};
};

[[nodiscard]] RankedRows rank_rows(const RowContents& rows);

// Computes RankedRows::content.
[[nodiscard]] std::vector<std::uint64_t> content_hashes(const RowContents& rows);

// SHA-256 of a set of contents, independent of their order.
[[nodiscard]] std::string set_sha256(std::vector<std::uint64_t> contents);

}  // namespace polyrx
