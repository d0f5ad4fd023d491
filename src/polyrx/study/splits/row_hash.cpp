// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/row_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace polyrx {
namespace {

constexpr std::uint64_t missing_word = 0x6d697373696e6721ULL;

void add_column(RowHashes& hashes, const Column& column) {
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) {
        hashes.add(column.name, [&](std::size_t row) { return word_of(numeric->values[row]); });
    } else if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values)) {
        const std::vector<std::uint64_t> words = words_of(categorical->categories);
        hashes.add(column.name, [&](std::size_t row) {
            const std::int32_t code = categorical->codes[row];
            return code < 0 ? missing_word : words[static_cast<std::size_t>(code)];
        });
    } else {
        const auto& values = std::get<BooleanColumn>(column.values).values;
        hashes.add(column.name, [&](std::size_t row) {
            return values[row] < 0 ? missing_word : static_cast<std::uint64_t>(values[row]);
        });
    }
}

}  // namespace

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    std::uint64_t z = (hash ^ word) + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::uint64_t word_of(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
    return hash;
}

std::uint64_t word_of(double number) {
    if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
    return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
}

std::vector<std::uint64_t> words_of(std::span<const std::string> texts) {
    std::vector<std::uint64_t> words;
    words.reserve(texts.size());
    for (const std::string& text : texts) words.push_back(word_of(text));
    return words;
}

void RowHashes::add(const Table& table) {
    std::vector<const Column*> columns;
    for (const Column& column : table.columns()) columns.push_back(&column);
    std::ranges::sort(columns, {}, [](const Column* column) -> const std::string& { return column->name; });
    for (const Column* column : columns) add_column(*this, *column);
}

double share_of(std::uint64_t hash) {
    return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

}  // namespace polyrx
