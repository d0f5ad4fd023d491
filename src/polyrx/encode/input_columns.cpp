// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/input_columns.hpp"

#include <algorithm>

#include "polyrx/encode/encode_feature.hpp"

namespace polyrx {
namespace {

std::size_t padded(std::size_t rows) {
    return (rows + InputColumns::multiple - 1) / InputColumns::multiple * InputColumns::multiple;
}

}  // namespace

InputColumns::InputColumns(const InputReader& reader, const MatchedTable& table, std::size_t first, std::size_t count,
                           Unseen unseen)
    : rows_(count),
      length_(padded(count)),
      values_(std::make_unique_for_overwrite<double[]>(reader.size() * length_)),
      places_(reader.places()) {
    std::vector<double*> of_feature;
    double* next = values_.get();
    for (std::size_t f = 0; f < reader.features().size(); ++f) {
        const InputReader::ReadFeature& read = reader.features()[f];
        of_feature.clear();
        for (std::size_t i = 0; i < read.inputs; ++i, next += length_) of_feature.push_back(next);
        encode_feature(read.matcher.feature(), table.columns[f], {*table.table, first, count}, unseen, of_feature);
    }
}

InputColumns::InputColumns(std::span<const Eigen::Index> inputs, const Matrix& rows)
    : rows_(static_cast<std::size_t>(rows.rows())),
      length_(padded(rows_)),
      values_(std::make_unique_for_overwrite<double[]>(inputs.size() * length_)),
      places_(static_cast<std::size_t>(rows.cols())) {
    double* to = values_.get();
    for (std::size_t place = 0; place < inputs.size(); ++place, to += length_) {
        places_[static_cast<std::size_t>(inputs[place])] = place;
        for (std::size_t i = 0; i < rows_; ++i) to[i] = rows(static_cast<Eigen::Index>(i), inputs[place]);
    }
}

void InputColumns::copy_to(Eigen::Ref<Matrix> matrix) const {
    // A few rows at a time, so that the output stays in the L1 cache until it is complete.
    constexpr std::size_t few = 16;
    for (std::size_t first = 0; first < rows_; first += few) {
        const std::size_t end = std::min(first + few, rows_);
        for (Eigen::Index input = 0; input < matrix.cols(); ++input) {
            const double* values = (*this)[input];
            for (std::size_t i = first; i < end; ++i) matrix(static_cast<Eigen::Index>(i), input) = values[i];
        }
    }
}

}  // namespace polyrx
