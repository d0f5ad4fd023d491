// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/rank_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "polyrx/core/sha256.hpp"
#include "polyrx/study/splits/row_hash.hpp"

namespace polyrx {
namespace {

// Missing numbers come first; NaN itself has no order.
std::pair<bool, double> in_order(double number) {
    return std::isnan(number) ? std::pair(false, 0.0) : std::pair(true, number);
}

RowHashes hashes_of(const Table& features, std::size_t rows) {
    RowHashes hashes(rows, word_of("polyrx row"));
    hashes.add(features);
    return hashes;
}

void add_what_happened(RowHashes& hashes, const RowContents& rows) {
    hashes.add("treatment", [&](std::size_t row) { return word_of(rows.treatment[row]); });
    hashes.add("outcome", [&](std::size_t row) { return word_of(rows.outcome[row]); });
}

}  // namespace

std::vector<std::uint64_t> content_hashes(const RowContents& rows) {
    RowHashes hashes = hashes_of(rows.features, rows.outcome.size());
    add_what_happened(hashes, rows);
    return hashes.values();
}

RankedRows rank_rows(const RowContents& rows) {
    const std::size_t count = rows.outcome.size();
    RankedRows ranked;
    RowHashes hashes = hashes_of(rows.features, count);
    ranked.features = hashes.values();
    add_what_happened(hashes, rows);
    ranked.content = hashes.values();
    ranked.sha256 = set_sha256(ranked.content);

    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t row) {
        return std::tuple<std::uint64_t, const std::string&, std::pair<bool, double>, std::pair<bool, double>>(
            ranked.features[row], rows.treatment[row], in_order(rows.outcome[row]),
            in_order(rows.weight.empty() ? 1 : rows.weight[row]));
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    ranked.rank.resize(count);
    for (std::size_t i = 1; i < count; ++i) {
        if (ranked.features[order[i]] != ranked.features[order[i - 1]]) continue;
        ranked.rank[order[i]] = ranked.rank[order[i - 1]] + 1;
        ranked.repeats = true;
    }
    return ranked;
}

std::string set_sha256(std::vector<std::uint64_t> contents) {
    std::ranges::sort(contents);
    Sha256 hash;
    std::string bytes;
    for (const std::uint64_t content : contents)
        for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(content >> (8 * byte));
    hash.add(bytes);
    return hash.hex();
}

}  // namespace polyrx
