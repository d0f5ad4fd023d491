// SPDX-License-Identifier: Apache-2.0
// Features in at most 256 bins of about as many rows each, for nodes with so many rows that exact cuts are no better.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/learners/trees/ranked_features.hpp"

namespace polyrx {

struct BinnedFeature {
    std::vector<std::uint16_t> bin;  // by row; bins() where it is missing
    // By bin: its first and its last rank.
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> last;

    [[nodiscard]] std::size_t bins() const { return first.size(); }
};

struct BinnedFeatures {
    // Nodes with more rows are divided between bins. With fewer the exact search costs about as much, and below it,
    // which is all of a tree of a few thousand rows, it finds what other implementations find.
    static constexpr std::size_t most_exact_rows = 16'384;

    explicit BinnedFeatures(const RankedFeatures& ranked, std::size_t exact_rows = most_exact_rows);

    std::size_t exact_rows;
    std::vector<BinnedFeature> features;  // of numbers, if there are more rows than that
};

}  // namespace polyrx
