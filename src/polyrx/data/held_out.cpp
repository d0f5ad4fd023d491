// SPDX-License-Identifier: Apache-2.0
#include "polyrx/data/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// splitmix64's step and output function: every bit of the old hash and of the word changes half of the new hash's.
// Unlike the fingerprint, this need not withstand anybody: it is only to be even, and fast.
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

// One NaN for all, since they all mean missing, and one zero, since -0 equals 0.
std::uint64_t word_of(double number) {
    if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
    return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
}

constexpr std::uint64_t missing_word = 0x6d697373696e6721ULL;

std::vector<std::uint64_t> words_of(std::span<const std::string> texts) {
    std::vector<std::uint64_t> words;
    words.reserve(texts.size());
    for (const std::string& text : texts) words.push_back(word_of(text));
    return words;
}

// The hashes of all rows, each of which takes in one column after the other.
class RowHashes {
public:
    RowHashes(std::size_t rows, std::uint64_t seed) : hashes_(rows, mixed(word_of("polyrx held out 1"), seed)) {}

    template <class WordOfRow>
    void add(std::string_view name, const WordOfRow& word_of_row) {
        const std::uint64_t column = word_of(name);
        for (std::size_t row = 0; row < hashes_.size(); ++row)
            hashes_[row] = mixed(hashes_[row], mixed(column, word_of_row(row)));
    }

    // [0, 1), 53 bits.
    [[nodiscard]] double share(std::size_t row) const { return static_cast<double>(hashes_[row] >> 11) * 0x1.0p-53; }

private:
    std::vector<std::uint64_t> hashes_;
};

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

RowSplit held_out_by_content(const Observations& observations, double fraction, std::uint64_t seed) {
    if (!(fraction > 0 && fraction < 1))
        throw usage_error(fmt::format("the share of rows to hold out must be above 0 and below 1, not {}", fraction));
    std::vector<const Column*> columns;
    for (const Column& column : observations.features.columns()) columns.push_back(&column);
    std::ranges::sort(columns, {}, [](const Column* column) -> const std::string& { return column->name; });

    RowHashes hashes(observations.rows(), seed);
    for (const Column* column : columns) add_column(hashes, *column);
    const std::vector<std::uint64_t> labels = words_of(observations.treatments);
    hashes.add(observations.treatment_name,
               [&](std::size_t row) { return labels[static_cast<std::size_t>(observations.treatment[row])]; });
    hashes.add(observations.outcome_name, [&](std::size_t row) { return word_of(observations.outcome[row]); });

    RowSplit split;
    for (std::size_t row = 0; row < observations.rows(); ++row)
        (hashes.share(row) < fraction ? split.held_out : split.kept).push_back(row);
    return split;
}

}  // namespace polyrx
