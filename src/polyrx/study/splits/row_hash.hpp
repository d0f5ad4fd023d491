// SPDX-License-Identifier: Apache-2.0
// Hashes of rows by their content, for splits and sketches. They are fast and even; they do not withstand an attacker.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

// splitmix64's step and output function: every bit of the old hash and of the word changes half of the new hash's bits.
[[nodiscard]] std::uint64_t mixed(std::uint64_t hash, std::uint64_t word);

[[nodiscard]] std::uint64_t word_of(std::string_view text);
// All NaN are one word, since they all mean missing, and so are 0 and -0.
[[nodiscard]] std::uint64_t word_of(double number);

[[nodiscard]] std::vector<std::uint64_t> words_of(std::span<const std::string> texts);

// A hash for each row, which takes in one column after the other.
class RowHashes {
public:
    RowHashes(std::size_t rows, std::uint64_t begin) : hashes_(rows, begin) {}

    template <class WordOfRow>
    void add(std::string_view name, const WordOfRow& word_of_row) {
        const std::uint64_t column = word_of(name);
        for (std::size_t row = 0; row < hashes_.size(); ++row)
            hashes_[row] = mixed(hashes_[row], mixed(column, word_of_row(row)));
    }

    // Columns by name, whatever their order; categories by their texts, whatever their codes.
    void add(const Table& table);

    [[nodiscard]] const std::vector<std::uint64_t>& values() const { return hashes_; }

private:
    std::vector<std::uint64_t> hashes_;
};

// A hash as a number in [0, 1), of 53 bits.
[[nodiscard]] double share_of(std::uint64_t hash);

}  // namespace polyrx
