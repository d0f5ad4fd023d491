// SPDX-License-Identifier: Apache-2.0
// Hashes of row contents, for splits and sketches. They are fast and uniform, but not cryptographic.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

// One step of splitmix64: each input bit affects about half of the output bits.
[[nodiscard]] std::uint64_t mixed(std::uint64_t hash, std::uint64_t word);

[[nodiscard]] std::uint64_t word_of(std::string_view text);
// All NaN mean missing and have one word. So have 0 and -0.
[[nodiscard]] std::uint64_t word_of(double number);

[[nodiscard]] std::vector<std::uint64_t> words_of(std::span<const std::string> texts);

// One hash per row, updated column by column.
class RowHashes {
public:
    RowHashes(std::size_t rows, std::uint64_t begin) : hashes_(rows, begin) {}

    template <class WordOfRow>
    void add(std::string_view name, const WordOfRow& word_of_row) {
        const std::uint64_t column = word_of(name);
        for (std::size_t row = 0; row < hashes_.size(); ++row)
            hashes_[row] = mixed(hashes_[row], mixed(column, word_of_row(row)));
    }

    // Adds all columns. The result is independent of the order of columns and of category codes.
    void add(const Table& table);

    [[nodiscard]] const std::vector<std::uint64_t>& values() const { return hashes_; }

private:
    std::vector<std::uint64_t> hashes_;
};

// Maps a hash to [0, 1) with 53 bits.
[[nodiscard]] double share_of(std::uint64_t hash);

}  // namespace polyrx
