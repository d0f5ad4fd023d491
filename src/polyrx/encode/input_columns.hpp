// SPDX-License-Identifier: Apache-2.0
// Some inputs of a block of rows, each as a column of its own: who asks one input of many rows, as rules do, reads its
// values side by side.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "polyrx/encode/input_reader.hpp"

namespace polyrx {

class InputColumns {
public:
    // Columns are as long as the next multiple of it, so that a loop may read some rows at once: what lies behind the
    // last row means nothing.
    static constexpr std::size_t multiple = 8;

    // Encodes rows first .. first+count-1 of the table. Throws as Encoder::encode() does, of what it reads.
    InputColumns(const InputReader& reader, const MatchedTable& table, std::size_t first, std::size_t count,
                 Unseen unseen);
    // Copies them out of encoded rows.
    InputColumns(std::span<const Eigen::Index> inputs, const Matrix& rows);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    // The values of an input that was asked for.
    [[nodiscard]] const double* operator[](Eigen::Index input) const {
        return values_.get() + places_[static_cast<std::size_t>(input)] * length_;
    }

    // Fills one row of the matrix for each of these, with its first inputs, which must have been asked for.
    void copy_to(Eigen::Ref<Matrix> matrix) const;

private:
    std::size_t rows_;
    std::size_t length_;  // of a column
    std::unique_ptr<double[]> values_;
    std::vector<std::size_t> places_;  // by input, of those that were asked for: the number of its column
};

}  // namespace polyrx
