// SPDX-License-Identifier: Apache-2.0
// A bottom-k sketch of rows (Broder 1997): the smallest hashes of their contents. Two files keep the hashes of the same
// contents, so a sketch of one file estimates the share of another file's rows that it contains.
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
    // Among the sketched rows, the share whose content occurs in another row. A new row equals a row of the sketch by
    // chance about as often.
    double repeated = 0;

    friend bool operator==(const RowSketch&, const RowSketch&) = default;
};

// `contents` come from content_hashes().
[[nodiscard]] RowSketch sketch_rows(std::span<const std::uint64_t> contents);

struct SharedRows {
    std::size_t comparable = 0;  // rows whose hashes would be in the sketch if it had seen them
    std::size_t found = 0;       // how many of these are in the sketch
    double share = 0;            // estimated share of rows that the sketch has seen, minus matches by chance
    bool credible = false;       // more matches than chance explains, by at least four standard errors
};

[[nodiscard]] SharedRows shared_rows(const RowSketch& sketch, std::span<const std::uint64_t> contents);

// Twelve digits per hash.
[[nodiscard]] std::string to_hex(std::span<const std::uint64_t> hashes);
// Returns nothing if the text is too long, not hexadecimal or not ascending.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> hashes_from_hex(std::string_view text);

}  // namespace polyrx
