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

InputColumns::InputColumns(const Encoder& encoder, std::span<const Eigen::Index> inputs, const Table& table,
                           std::size_t first, std::size_t count, Unseen unseen)
    : rows_(count), length_(padded(count)), starts_(encoder.columns().size()) {
    const std::vector<EncodedColumn>& columns = encoder.columns();
    std::vector<bool> wanted(encoder.features().size());
    for (const Eigen::Index input : inputs) wanted[columns[static_cast<std::size_t>(input)].feature] = true;
    std::size_t size = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!wanted[columns[c].feature]) continue;
        starts_[c] = size;
        size += length_;
    }
    values_ = std::make_unique_for_overwrite<double[]>(size);
    std::vector<double*> of_feature;
    for (std::size_t c = 0; c < columns.size();) {
        const std::size_t feature = columns[c].feature;
        of_feature.clear();
        for (; c < columns.size() && columns[c].feature == feature; ++c)
            of_feature.push_back(values_.get() + starts_[c]);
        if (wanted[feature]) encode_feature(encoder.features()[feature], {table, first, count}, unseen, of_feature);
    }
}

InputColumns::InputColumns(std::span<const Eigen::Index> inputs, const Matrix& rows)
    : rows_(static_cast<std::size_t>(rows.rows())),
      length_(padded(rows_)),
      values_(std::make_unique_for_overwrite<double[]>(inputs.size() * length_)),
      starts_(static_cast<std::size_t>(rows.cols())) {
    std::size_t start = 0;
    for (const Eigen::Index input : inputs) {
        starts_[static_cast<std::size_t>(input)] = start;
        for (std::size_t i = 0; i < rows_; ++i) values_[start + i] = rows(static_cast<Eigen::Index>(i), input);
        start += length_;
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
