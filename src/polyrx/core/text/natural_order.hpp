// SPDX-License-Identifier: Apache-2.0
// Natural order of strings: "5 mg" before "10 mg".
#pragma once

#include <string_view>

namespace polyrx {

// Runs of digits compare as numbers, other bytes one by one. Ties ("1" and "01") compare as bytes. A strict total
// order.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace polyrx
