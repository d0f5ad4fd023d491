// SPDX-License-Identifier: Apache-2.0
// Which rows are held out, in a way that finds the same ones when the file is read again, in whatever order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "polyrx/study/observations.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// What decides about a row.
enum class SplitBy {
    content,   // features, treatment and outcome, as models before format version 4 have it
    features,  // the features, and the rank among rows that share them
    group,     // the label of its group
};

[[nodiscard]] std::string_view name_of(SplitBy by);

// What is needed to find a split again, beside its fraction and seed.
struct SplitRecord {
    SplitBy by = SplitBy::content;
    // Each row, or group, is decided about by itself: no features repeat, and groups are enough to be hashed. Then a
    // file with other rows can be split too.
    bool one_by_one = true;
    std::string rows_sha256 = {};      // of the set of all rows, set_sha256()
    std::string held_out_sha256 = {};  // of the set of those held out

    friend bool operator==(const SplitRecord&, const SplitRecord&) = default;
};

struct HeldOut {
    RowSplit rows;
    SplitRecord record;
};

// Fewer groups than this are dealt, at least two to each side, since a hash could leave a side empty.
inline constexpr std::size_t fewest_hashed_groups = 20;

// With groups, a hash of label and seed decides about each. Else a hash of the features, the row's rank among rows with
// equal features (see rank_rows.hpp; rows of weight 0 are counted) and the seed decides about each row; where features
// repeat, the hash takes in the set of all rows too. Given that set, each rank is an independent draw, so that
// treatment and outcome have no influence. Neither has the order of rows and columns. Weights matter only for the order
// of rows that are otherwise equal.
//
// Throws a usage error unless 0 < fraction < 1, and a data error where there are fewer than four groups.
[[nodiscard]] HeldOut hold_out(const Observations& observations, double fraction, std::uint64_t seed);

// The split of a record. `observations` must have the features that it was made with, of the same types. Nothing where
// it cannot be found again: groups are lacking, or the rows are other than those that were split, and it takes all of
// these to split them.
[[nodiscard]] std::optional<RowSplit> hold_out_again(const Observations& observations, double fraction,
                                                     std::uint64_t seed, const SplitRecord& record);

}  // namespace polyrx
