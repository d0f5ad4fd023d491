// SPDX-License-Identifier: Apache-2.0
// An encoded row in the user's words: "age 60 years, sex F, smoker no".
#pragma once

#include <string>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// Values that no row of a table encodes to (half of one category, half of another) are shown as they are.
[[nodiscard]] std::string row_words(const Encoder& encoder, const Eigen::Ref<const Vector>& row);

}  // namespace polyrx
