// SPDX-License-Identifier: Apache-2.0
// Converts an encoded row back to a row of the user's table.
#pragma once

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// A one-row table with the columns that the encoder reads. A cell is missing if its indicator is 1, or if a derived
// feature "age is missing" is 1. Derived features are left out. They follow from the columns, so encoding the table
// again need not give the same row.
[[nodiscard]] Table decode_row(const Encoder& encoder, const Eigen::Ref<const Vector>& encoded);

}  // namespace polyrx
