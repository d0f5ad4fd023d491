// SPDX-License-Identifier: Apache-2.0
// A comparison as a text table, CSV or JSON.
#pragma once

#include <string>

#include "polyrx/compare/compare.hpp"

namespace polyrx {

// Only times differ from run to run: without them, the texts are identical byte for byte.
enum class Times { shown, left_out };

// One line per method, the best first: by regret if the truth is known, otherwise by the doubly robust value. If the
// best single treatment is among the methods, each line has the difference to it.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, Times times);

// The same table. Missing figures are empty cells.
[[nodiscard]] std::string comparison_csv(const Comparison& comparison, Times times);

// Includes every split.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, Times times);

}  // namespace polyrx
