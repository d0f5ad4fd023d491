// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/row_sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace polyrx {
namespace {

constexpr std::size_t digits = 12;

// The upper 48 bits are enough to distinguish rows and save a third of the file size.
std::uint64_t shortened(std::uint64_t content) {
    return content >> (64 - 4 * digits);
}

// The number of pairs of equal hashes: count (count - 1) / 2 for each distinct hash.
double equal_pairs(std::vector<std::uint64_t> hashes) {
    std::ranges::sort(hashes);
    double pairs = 0;
    for (auto begin = hashes.begin(); begin != hashes.end();) {
        const auto end = std::upper_bound(begin, hashes.end(), *begin);
        const auto equal = static_cast<double>(end - begin);
        pairs += equal * (equal - 1) / 2;
        begin = end;
    }
    return pairs;
}

// Estimates the probability that a new row equals some row of the sketch by chance. It is not 0 even if no row of the
// sketch repeats: one more pair of rows might have been equal, here or in the other file.
double chance_of_equal(const RowSketch& sketch, const std::vector<std::uint64_t>& others) {
    const auto known = static_cast<double>(sketch.hashes.size());
    const auto count = static_cast<double>(others.size());
    const double pairs = known * (known - 1) / 2 + count * (count - 1) / 2;
    const double by_pairs = pairs > 0 ? known * (1 + equal_pairs(others)) / pairs : 1;
    return std::max(sketch.repeated, std::min(1 / known, by_pairs));
}

}  // namespace

RowSketch sketch_rows(std::span<const std::uint64_t> contents) {
    std::vector<std::uint64_t> all;
    all.reserve(contents.size());
    for (const std::uint64_t content : contents) all.push_back(shortened(content));
    std::ranges::sort(all);
    RowSketch sketch;
    std::size_t rows = 0;
    std::size_t repeated = 0;
    for (auto begin = all.begin(); begin != all.end() && sketch.hashes.size() < most_sketched;) {
        const auto end = std::upper_bound(begin, all.end(), *begin);
        const auto equal = static_cast<std::size_t>(end - begin);
        sketch.hashes.push_back(*begin);
        rows += equal;
        if (equal > 1) repeated += equal;
        begin = end;
    }
    if (rows > 0) sketch.repeated = static_cast<double>(repeated) / static_cast<double>(rows);
    return sketch;
}

SharedRows shared_rows(const RowSketch& sketch, std::span<const std::uint64_t> contents) {
    SharedRows shared;
    if (sketch.hashes.empty()) return shared;
    const bool has_all = sketch.hashes.size() < most_sketched;
    std::vector<std::uint64_t> comparable;
    for (const std::uint64_t content : contents) {
        const std::uint64_t hash = shortened(content);
        if (!has_all && hash > sketch.hashes.back()) continue;
        comparable.push_back(hash);
        if (std::ranges::binary_search(sketch.hashes, hash)) ++shared.found;
    }
    shared.comparable = comparable.size();
    if (shared.found == 0) return shared;
    const double chance = chance_of_equal(sketch, comparable);
    const auto rows = static_cast<double>(shared.comparable);
    const auto found = static_cast<double>(shared.found);
    // The chance is also an estimate, from at least as many rows as there are hashes.
    const double error =
        std::sqrt(rows * chance * (1 - chance) * (1 + rows / static_cast<double>(sketch.hashes.size())));
    // Bernstein's inequality: four standard errors, plus 8/3 rows because small counts are not normally distributed.
    shared.credible = found > chance * rows + 4 * error + 8.0 / 3;
    if (sketch.repeated < 1)
        shared.share = std::clamp((found / rows - sketch.repeated) / (1 - sketch.repeated), 0.0, 1.0);
    return shared;
}

std::string to_hex(std::span<const std::uint64_t> hashes) {
    std::string text;
    text.reserve(digits * hashes.size());
    for (const std::uint64_t hash : hashes) text += fmt::format("{:0{}x}", hash, digits);
    return text;
}

std::optional<std::vector<std::uint64_t>> hashes_from_hex(std::string_view text) {
    if (text.size() % digits != 0 || text.size() / digits > most_sketched) return std::nullopt;
    std::vector<std::uint64_t> hashes;
    for (std::size_t begin = 0; begin < text.size(); begin += digits) {
        const std::string_view part = text.substr(begin, digits);
        std::uint64_t hash = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + digits, hash, 16);
        if (error != std::errc() || end != part.data() + digits) return std::nullopt;
        if (!hashes.empty() && hash <= hashes.back()) return std::nullopt;
        hashes.push_back(hash);
    }
    return hashes;
}

}  // namespace polyrx
