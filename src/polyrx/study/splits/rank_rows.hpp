// SPDX-License-Identifier: Apache-2.0
// Numbers rows with equal features, so that a split can tell them apart without a look at treatment or outcome.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

struct RankedRows {
    std::vector<std::uint64_t> features;  // a hash of each row's features
    // Among the rows with equal features, by treatment label, then outcome, then weight. Rows that are equal in all of
    // these may change places.
    std::vector<std::uint32_t> rank;
    std::vector<std::uint64_t> content;  // a hash of each row's features, treatment and outcome
    bool repeats = false;                // some rows have equal features
    std::string sha256;                  // of the set of all contents, whatever the order of rows
};

// What rows are ranked by. All but `features` have one value a row; `weight` may be empty.
struct RowContents {
    const Table& features;
    std::span<const std::string> treatment;  // labels; an empty one is missing
    std::span<const double> outcome;         // NaN where missing
    std::span<const double> weight = {};
};

[[nodiscard]] RankedRows rank_rows(const RowContents& rows);

// Of each row: RankedRows::content.
[[nodiscard]] std::vector<std::uint64_t> content_hashes(const RowContents& rows);

// Of a set of contents, whatever their order.
[[nodiscard]] std::string set_sha256(std::vector<std::uint64_t> contents);

}  // namespace polyrx
