// SPDX-License-Identifier: Apache-2.0
// An encoded row in the user's terms: "age 60 years, sex F, smoker no".
#pragma once

#include <string>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// Also shows values that no row of a table encodes to, such as half of one category and half of another.
[[nodiscard]] std::string row_words(const Encoder& encoder, const Eigen::Ref<const Vector>& row);

}  // namespace polyrx
