// SPDX-License-Identifier: Apache-2.0
// Chooses held-out rows so that the same rows are found when the file is read again, in any order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "polyrx/study/observations.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// What the hash that splits rows is computed from.
enum class SplitBy {
    content,   // features, treatment and outcome, in models before format version 4
    features,  // the features, and the rank among rows with equal features
    group,     // the label of its group
};

[[nodiscard]] std::string_view name_of(SplitBy by);

// Describes a split so that it can be found again, given its fraction and seed.
struct SplitRecord {
    SplitBy by = SplitBy::content;
    // Each row or group is assigned independently: no features repeat, and there are enough groups to hash. Then a file
    // with other rows can be split too.
    bool one_by_one = true;
    std::string rows_sha256 = {};      // set_sha256() of all rows
    std::string held_out_sha256 = {};  // set_sha256() of the held-out rows

    friend bool operator==(const SplitRecord&, const SplitRecord&) = default;
};

struct HeldOut {
    RowSplit rows;
    SplitRecord record;
};

// Below this number, groups are dealt out, at least two to each side, because hashing could leave a side empty.
inline constexpr std::size_t fewest_hashed_groups = 20;

// With groups, each group is assigned by a hash of its label and the seed. Otherwise, each row is assigned by a hash of
// its features, its rank among rows with equal features (rank_rows.hpp, including rows of weight 0) and the seed. If
// features repeat, the hash includes the set of all rows. Given that set, each rank is an independent draw, so
// treatment and outcome have no influence. Nor has the order of rows and columns. Weights only order rows that are
// otherwise equal.
//
// Throws a usage error unless 0 < fraction < 1, and a data error if there are fewer than four groups.
[[nodiscard]] HeldOut hold_out(const Observations& observations, double fraction, std::uint64_t seed);

// Repeats a recorded split. `observations` must have the original features with the same types. Returns nothing if the
// split cannot be found again: groups are missing, or the rows differ and the split depends on all of them.
[[nodiscard]] std::optional<RowSplit> hold_out_again(const Observations& observations, double fraction,
                                                     std::uint64_t seed, const SplitRecord& record);

}  // namespace polyrx
