// SPDX-License-Identifier: Apache-2.0
#include "polyrx/data/row_sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace polyrx {
namespace {

constexpr std::size_t digits = 12;

// The upper 48 bits: enough to tell rows apart, and a third less of a file.
std::uint64_t shortened(std::uint64_t content) {
    return content >> (64 - 4 * digits);
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
    for (const std::uint64_t content : contents) {
        const std::uint64_t hash = shortened(content);
        if (!has_all && hash > sketch.hashes.back()) continue;
        ++shared.comparable;
        if (std::ranges::binary_search(sketch.hashes, hash)) ++shared.found;
    }
    if (shared.found == 0) return shared;
    const double chance = sketch.repeated;
    const auto rows = static_cast<double>(shared.comparable);
    const auto found = static_cast<double>(shared.found);
    // The chance is itself an estimate, from at least as many rows as there are hashes.
    const double error =
        std::sqrt(rows * chance * (1 - chance) * (1 + rows / static_cast<double>(sketch.hashes.size())));
    shared.credible = found > chance * rows + 4 * error;
    if (chance < 1) shared.share = std::clamp((found / rows - chance) / (1 - chance), 0.0, 1.0);
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
