// SPDX-License-Identifier: Apache-2.0
// Features in at most 256 bins of similar size, for nodes with so many rows that exact cuts do not improve the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/learners/trees/ranked_features.hpp"

namespace polyrx {

struct BinnedFeature {
    std::vector<std::uint16_t> bin;  // per row; bins() if missing
    // Per bin: its first and last rank.
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> last;

    [[nodiscard]] std::size_t bins() const { return first.size(); }
};

struct BinnedFeatures {
    // Larger nodes are cut between bins. At this size, the exact search costs about as much. Trees on a few thousand
    // rows thus use it throughout, and their splits agree with those of other implementations.
    static constexpr std::size_t most_exact_rows = 16'384;

    explicit BinnedFeatures(const RankedFeatures& ranked, std::size_t exact_rows = most_exact_rows);

    std::size_t exact_rows;
    std::vector<BinnedFeature> features;  // only numeric features, and only with more rows than that
};

}  // namespace polyrx
