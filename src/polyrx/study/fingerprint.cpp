// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "polyrx/core/sha256.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {
namespace {

// The canonical bytes. Numbers are little-endian, and texts and lists follow their length, so different contents have
// different bytes.
class Stream {
public:
    void add(std::uint64_t number) {
        std::array<char, 8> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(number >> (8 * i));
        pending_.append(bytes.data(), bytes.size());
        if (pending_.size() >= std::size_t{1} << 16) flush();
    }

    // All NaN have one encoding, because they all mean missing. So have 0 and -0.
    void add(double number) {
        if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
        add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number));
    }

    void add(std::string_view text) {
        add(std::uint64_t{text.size()});
        pending_ += text;
    }

    template <class T>
    void add_code(T code) {
        add(static_cast<std::uint64_t>(static_cast<std::int64_t>(code)));
    }

    std::string hex() {
        flush();
        return hash_.hex();
    }

private:
    void flush() {
        hash_.add(pending_);
        pending_.clear();
    }

    Sha256 hash_;
    std::string pending_;
};

// Codes are ranks in the sorted categories, because the numbering in a file or data frame is arbitrary.
void add_categories(Stream& stream, const CategoricalColumn& column) {
    std::vector<std::size_t> order(column.categories.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t code) -> const std::string& { return column.categories[code]; });
    std::vector<std::size_t> rank(order.size());
    stream.add(std::uint64_t{order.size()});
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank[order[i]] = i;
        stream.add(column.categories[order[i]]);
    }
    for (const std::int32_t code : column.codes)
        stream.add_code(code < 0 ? std::int64_t{-1} : static_cast<std::int64_t>(rank[static_cast<std::size_t>(code)]));
}

}  // namespace

std::string fingerprint(const Observations& observations) {
    Stream stream;
    stream.add("polyrx observations 1");
    stream.add(std::uint64_t{observations.rows()});
    stream.add(std::uint64_t{observations.features.columns().size()});
    for (const Column& column : observations.features.columns()) {
        stream.add(column.name);
        stream.add(name_of(column.type()));
        if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) {
            for (const double value : numeric->values) stream.add(value);
        } else if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values)) {
            add_categories(stream, *categorical);
        } else {
            for (const std::int8_t value : std::get<BooleanColumn>(column.values).values) stream.add_code(value);
        }
    }
    stream.add(observations.treatment_name);
    stream.add(std::uint64_t{observations.treatments.size()});
    for (const std::string& label : observations.treatments) stream.add(label);
    for (const int treatment : observations.treatment) stream.add_code(treatment);
    stream.add(observations.outcome_name);
    for (const double outcome : observations.outcome) stream.add(outcome);
    stream.add(std::uint64_t{observations.weight.size()});
    for (const double weight : observations.weight) stream.add(weight);
    return stream.hex();
}

}  // namespace polyrx
