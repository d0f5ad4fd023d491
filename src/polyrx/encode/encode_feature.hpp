// SPDX-License-Identifier: Apache-2.0
// The inputs that one feature of a table becomes.
#pragma once

#include <cstddef>
#include <span>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

struct TableRows {
    const Table& table;
    std::size_t first = 0;
    std::size_t count = 0;
};

// Fills the feature's inputs for these rows, each a column of `count` values: its value or one column for each
// category, and its indicator last if it has one. Throws as Encoder::encode() does.
void encode_feature(const Feature& feature, const TableRows& rows, Unseen unseen, std::span<double* const> columns);

}  // namespace polyrx
