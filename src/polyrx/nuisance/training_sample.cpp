// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/training_sample.hpp"

#include <algorithm>
#include <numeric>

#include "polyrx/core/every_row.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

std::vector<std::size_t> stratified_sample(std::span<const int> treatment, std::size_t most, std::uint64_t seed) {
    if (treatment.size() <= most) return every_row(treatment.size());
    const double share = static_cast<double>(most) / static_cast<double>(treatment.size());
    return stratified_split(treatment, share, seed).held_out;
}

std::vector<std::size_t> equal_shares(std::vector<std::size_t> rows_of_treatment, std::size_t most) {
    std::vector<std::size_t> rarest_first(rows_of_treatment.size());
    std::iota(rarest_first.begin(), rarest_first.end(), std::size_t{0});
    std::ranges::stable_sort(rarest_first, {}, [&](std::size_t k) { return rows_of_treatment[k]; });
    std::size_t left = rarest_first.size();
    for (const std::size_t k : rarest_first) {
        rows_of_treatment[k] = std::min(rows_of_treatment[k], most / left--);
        most -= rows_of_treatment[k];
    }
    return rows_of_treatment;
}

}  // namespace polyrx
