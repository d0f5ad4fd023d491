// SPDX-License-Identifier: Apache-2.0
// The order in which a person would list categories: "5 mg" before "10 mg".
#pragma once

#include <string_view>

namespace polyrx {

// Runs of digits compare as numbers, everything else byte by byte; texts that are equal so far ("1" and "01") compare
// as bytes. A strict total order.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace polyrx
