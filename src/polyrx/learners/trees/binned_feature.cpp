// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/binned_feature.hpp"

#include <algorithm>

namespace polyrx {
namespace {

constexpr std::size_t most_bins_of_feature = 256;

BinnedFeature bin_numbers(const RankedFeature& ranked) {
    BinnedFeature binned;
    std::vector<std::size_t> count(ranked.values.size());
    for (const std::uint32_t rank : ranked.rank)
        if (rank != ranked.missing()) ++count[rank];
    const auto missing = static_cast<std::size_t>(std::ranges::count(ranked.rank, ranked.missing()));
    const std::size_t present = std::max<std::size_t>(1, ranked.rank.size() - missing);
    std::vector<std::uint16_t> bin_of(ranked.values.size());
    std::size_t before = 0;  // rows with lower ranks
    for (std::uint32_t rank = 0; rank < ranked.values.size(); ++rank) {
        // Starts a new bin if the last is full, or for every value if there are few.
        const bool few = ranked.values.size() <= most_bins_of_feature;
        if (rank == 0 || few || before * most_bins_of_feature / present >= binned.bins()) {
            binned.first.push_back(rank);
            binned.last.push_back(rank);
        }
        binned.last.back() = rank;
        bin_of[rank] = static_cast<std::uint16_t>(binned.bins() - 1);
        before += count[rank];
    }
    binned.bin.reserve(ranked.rank.size());
    for (const std::uint32_t rank : ranked.rank)
        binned.bin.push_back(rank == ranked.missing() ? static_cast<std::uint16_t>(binned.bins()) : bin_of[rank]);
    return binned;
}

}  // namespace

BinnedFeatures::BinnedFeatures(const RankedFeatures& ranked, std::size_t exact) : exact_rows(exact) {
    if (ranked.rows <= exact_rows) return;
    for (const RankedFeature& feature : ranked.features)
        features.push_back(feature.levels > 0 ? BinnedFeature{} : bin_numbers(feature));
}

}  // namespace polyrx
