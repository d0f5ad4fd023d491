// SPDX-License-Identifier: Apache-2.0
// Selected inputs of a block of rows, stored by column for code such as rules that reads one input of many rows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "polyrx/encode/input_reader.hpp"

namespace polyrx {

class InputColumns {
public:
    // Columns are padded to a multiple of this, so that loops can read several rows at once. The padding is undefined.
    static constexpr std::size_t multiple = 8;

    // Encodes rows first .. first+count-1. Throws like Encoder::encode(), for the columns that it reads.
    InputColumns(const InputReader& reader, const MatchedTable& table, std::size_t first, std::size_t count,
                 Unseen unseen);
    // Copies the given inputs from encoded rows.
    InputColumns(std::span<const Eigen::Index> inputs, const Matrix& rows);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    // The values of a selected input.
    [[nodiscard]] const double* operator[](Eigen::Index input) const {
        return values_.get() + places_[static_cast<std::size_t>(input)] * length_;
    }

    // Fills the matrix, one row per row, with the first matrix.cols() inputs, which must be selected.
    void copy_to(Eigen::Ref<Matrix> matrix) const;

private:
    std::size_t rows_;
    std::size_t length_;  // of a padded column
    std::unique_ptr<double[]> values_;
    std::vector<std::size_t> places_;  // by selected input: the number of its column
};

}  // namespace polyrx
