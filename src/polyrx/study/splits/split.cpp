// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

void check_share(double share) {
    if (!(share >= 0 && share < 1))
        throw usage_error(fmt::format("the held-out share must be at least 0 and below 1, not {}", share));
}

std::size_t rounded(double share, std::size_t rows) {
    return static_cast<std::size_t>(std::round(share * static_cast<double>(rows)));
}

std::vector<std::vector<std::size_t>> rows_of_each(std::span<const int> treatment) {
    std::vector<std::vector<std::size_t>> rows_of;
    for (std::size_t row = 0; row < treatment.size(); ++row) {
        const auto t = static_cast<std::size_t>(treatment[row]);
        if (t >= rows_of.size()) rows_of.resize(t + 1);
        rows_of[t].push_back(row);
    }
    return rows_of;
}

}  // namespace

RowSplit random_split(std::size_t rows, double share, std::uint64_t seed) {
    check_share(share);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(seed, Draw::split);
    rng.shuffle(std::span(order));
    const auto cut = order.begin() + static_cast<std::ptrdiff_t>(rounded(share, rows));
    RowSplit split{{cut, order.end()}, {order.begin(), cut}};
    std::ranges::sort(split.kept);
    std::ranges::sort(split.held_out);
    return split;
}

RowSplit stratified_split(std::span<const int> treatment, double share, std::uint64_t seed) {
    check_share(share);
    RowSplit split;
    Rng rng(seed, Draw::split);
    for (auto& rows : rows_of_each(treatment)) {
        if (rows.empty()) continue;
        rng.shuffle(std::span(rows));
        const std::size_t held_out = std::min(rounded(share, rows.size()), rows.size() - 1);
        const auto cut = rows.begin() + static_cast<std::ptrdiff_t>(held_out);
        split.held_out.insert(split.held_out.end(), rows.begin(), cut);
        split.kept.insert(split.kept.end(), cut, rows.end());
    }
    std::ranges::sort(split.kept);
    std::ranges::sort(split.held_out);
    return split;
}

std::vector<RowSplit> k_folds(std::span<const int> treatment, std::size_t folds, std::uint64_t seed) {
    if (folds < 2) throw usage_error(fmt::format("there must be at least 2 folds, not {}", folds));
    if (folds > treatment.size())
        throw usage_error(
            fmt::format("{} folds need at least as many rows; there are only {}", folds, treatment.size()));
    std::vector<std::size_t> fold_of(treatment.size());
    std::size_t dealt = 0;  // continues across treatments, so that no fold is always the largest
    Rng rng(seed, Draw::folds);
    for (auto& rows : rows_of_each(treatment)) {
        rng.shuffle(std::span(rows));
        for (const std::size_t row : rows) fold_of[row] = dealt++ % folds;
    }
    std::vector<RowSplit> splits(folds);
    for (std::size_t row = 0; row < treatment.size(); ++row)
        for (std::size_t fold = 0; fold < folds; ++fold)
            (fold_of[row] == fold ? splits[fold].held_out : splits[fold].kept).push_back(row);
    return splits;
}

std::vector<std::size_t> picked(std::span<const std::size_t> rows, std::span<const std::size_t> places) {
    std::vector<std::size_t> result;
    result.reserve(places.size());
    for (const std::size_t place : places) result.push_back(rows[place]);
    return result;
}

}  // namespace polyrx
