// SPDX-License-Identifier: Apache-2.0
// Encodes one feature of a table.
#pragma once

#include <cstddef>
#include <span>

#include "polyrx/encode/feature_matcher.hpp"

namespace polyrx {

struct TableRows {
    const Table& table;
    std::size_t first = 0;
    std::size_t count = 0;
};

// Fills the feature's inputs for these rows, `count` values each: its value or one input per category, then its
// indicator if it has one. `matched` is the feature's column in the table. Throws like Encoder::encode().
void encode_feature(const Feature& feature, const MatchedColumn& matched, const TableRows& rows, Unseen unseen,
                    std::span<double* const> columns);

// The feature's values as trees read them: numbers, category indices or NaN. A missing cell is NaN if the feature has
// an indicator; otherwise it has the fill value of encode_feature(). A category not in the training rows is NaN. Throws
// like encode_feature().
void feature_values(const Feature& feature, const TableRows& rows, Unseen unseen, double* target);

}  // namespace polyrx
