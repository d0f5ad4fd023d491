// SPDX-License-Identifier: Apache-2.0
// An encoded row back to the row of the user's table that it stands for.
#pragma once

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// A table of one row, with the columns that the encoder reads: a cell is missing where its indicator is 1, or where a
// derived feature that says so ("age is missing") is 1. Derived features are not among them: what they are in truth
// follows from the columns, so encoding the table again need not give the same row.
[[nodiscard]] Table decode_row(const Encoder& encoder, const Eigen::Ref<const Vector>& encoded);

}  // namespace polyrx
