// SPDX-License-Identifier: Apache-2.0
// Encoded rows as trees see them: one value for each feature again, categories undivided, missing cells missing.
#pragma once

#include "polyrx/encode/encoder.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// A cell is missing where its indicator says so, or where a category is none of those that are known. A feature without
// an indicator had no missing cells when the encoder was made, and one that is missing now has the value that the
// encoder fills in.
[[nodiscard]] FeatureRows feature_rows(const Encoder& encoder, const Matrix& encoded);

}  // namespace polyrx
