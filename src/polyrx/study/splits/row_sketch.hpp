// SPDX-License-Identifier: Apache-2.0
// A bottom-k sketch of rows (Broder 1997): the smallest hashes of their contents. Two files keep the hashes of the same
// contents, so a sketch of one finds which share of another it has, without either file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

inline constexpr std::size_t most_sketched = 4096;

struct RowSketch {
    std::vector<std::uint64_t> hashes = {};  // of 48 bits, each once, ascending
    // Of the rows that these hashes are of, the share whose content another of the rows has too. About as often, a new
    // row has the content of some row of the sketch by chance.
    double repeated = 0;

    friend bool operator==(const RowSketch&, const RowSketch&) = default;
};

// `contents` are those of content_hashes().
[[nodiscard]] RowSketch sketch_rows(std::span<const std::uint64_t> contents);

struct SharedRows {
    std::size_t comparable = 0;  // rows whose hashes the sketch would have, had it seen them
    std::size_t found = 0;       // of these
    double share = 0;            // estimate of the rows that the sketch has seen, beyond those found by chance
    bool credible = false;       // more were found than chance explains, by four standard errors and more
};

[[nodiscard]] SharedRows shared_rows(const RowSketch& sketch, std::span<const std::uint64_t> contents);

// Twelve digits a hash.
[[nodiscard]] std::string to_hex(std::span<const std::uint64_t> hashes);
// Nothing if the text is no such list: too long, not hexadecimal, not ascending.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> hashes_from_hex(std::string_view text);

}  // namespace polyrx
