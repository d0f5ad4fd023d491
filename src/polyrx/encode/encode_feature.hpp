// SPDX-License-Identifier: Apache-2.0
// The inputs that one feature of a table becomes.
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

// Fills the feature's inputs for these rows, each a column of `count` values: its value or one column for each
// category, and its indicator last if it has one. `matched` is the feature's column in that table. Throws as
// Encoder::encode() does.
void encode_feature(const Feature& feature, const MatchedColumn& matched, const TableRows& rows, Unseen unseen,
                    std::span<double* const> columns);

// The feature's value in each of these rows, as trees see it: a number, or the index of a category, or NaN. A cell is
// NaN where the feature has an indicator for missing cells; else it gets the value that encode_feature() fills in. A
// category that the training rows did not have is NaN. Throws as encode_feature() does.
void feature_values(const Feature& feature, const TableRows& rows, Unseen unseen, double* target);

}  // namespace polyrx
