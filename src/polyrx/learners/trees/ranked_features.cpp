// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/ranked_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyrx {
namespace {

RankedFeature rank_categories(int levels, std::span<const double> values) {
    RankedFeature ranked;
    ranked.levels = levels;
    for (const double value : values)
        ranked.rank.push_back(std::isnan(value) ? ranked.missing() : static_cast<std::uint32_t>(value));
    return ranked;
}

RankedFeature rank_numbers(std::span<const double> values) {
    RankedFeature ranked;
    ranked.order.resize(values.size());
    std::iota(ranked.order.begin(), ranked.order.end(), RowIndex{0});
    const auto first_missing = std::partition(ranked.order.begin(), ranked.order.end(),
                                              [&](RowIndex row) { return !std::isnan(values[row]); });
    std::sort(ranked.order.begin(), first_missing,
              [&](RowIndex a, RowIndex b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
    std::sort(first_missing, ranked.order.end());
    ranked.rank.resize(values.size());
    for (auto row = ranked.order.begin(); row != first_missing; ++row) {
        if (ranked.values.empty() || ranked.values.back() != values[*row]) ranked.values.push_back(values[*row]);
        ranked.rank[*row] = static_cast<std::uint32_t>(ranked.values.size() - 1);
    }
    for (auto row = first_missing; row != ranked.order.end(); ++row) ranked.rank[*row] = ranked.missing();
    return ranked;
}

}  // namespace

double RankedFeature::between(std::uint32_t lower, std::uint32_t upper) const {
    const double middle = values[lower] + (values[upper] - values[lower]) / 2;
    return middle < values[upper] ? middle : values[lower];
}

RankedFeatures::RankedFeatures(const FeatureRows& all, std::span<const std::size_t> chosen) : rows(chosen.size()) {
    std::vector<double> values(rows);
    for (std::size_t f = 0; f < all.features(); ++f) {
        const auto column = all.values.col(static_cast<Eigen::Index>(f));
        std::ranges::transform(chosen, values.begin(),
                               [&](std::size_t row) { return column[static_cast<Eigen::Index>(row)]; });
        features.push_back(all.levels[f] > 0 ? rank_categories(all.levels[f], values) : rank_numbers(values));
    }
}

}  // namespace polyrx
