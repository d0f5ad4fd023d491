// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/input_reader.hpp"

#include <numeric>

namespace polyrx {
namespace {

std::vector<Eigen::Index> all_inputs(const Encoder& encoder) {
    std::vector<Eigen::Index> inputs(encoder.columns().size());
    std::iota(inputs.begin(), inputs.end(), 0);
    return inputs;
}

}  // namespace

InputReader::InputReader(const Encoder& encoder) : InputReader(encoder, all_inputs(encoder)) {}

InputReader::InputReader(const Encoder& encoder, std::span<const Eigen::Index> inputs)
    : places_(encoder.columns().size()) {
    const std::vector<EncodedColumn>& columns = encoder.columns();
    std::vector<bool> wanted(encoder.features().size());
    for (const Eigen::Index input : inputs) wanted[columns[static_cast<std::size_t>(input)].feature] = true;
    // The position of the column in a table that has only the columns read by encoders, in order.
    std::size_t table_place = 0;
    std::size_t column = 0;
    for (std::size_t f = 0; f < encoder.features().size(); ++f) {
        const Feature& feature = encoder.features()[f];
        const std::size_t before = size_;
        for (; column < columns.size() && columns[column].feature == f; ++column)
            if (wanted[f]) places_[column] = size_++;
        if (wanted[f]) features_.push_back({FeatureMatcher(feature, table_place), size_ - before});
        if (!feature.formula) ++table_place;
    }
}

MatchedTable InputReader::match(const Table& table) const {
    MatchedTable matched{.table = &table, .columns = {}};
    matched.columns.reserve(features_.size());
    for (const ReadFeature& read : features_) matched.columns.push_back(read.matcher.in(table));
    return matched;
}

}  // namespace polyrx
