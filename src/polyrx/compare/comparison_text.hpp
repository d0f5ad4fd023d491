// SPDX-License-Identifier: Apache-2.0
// A comparison as a table for a person, as CSV, and as JSON.
#pragma once

#include <string>

#include "polyrx/compare/compare.hpp"

namespace polyrx {

// Times are the only figures that differ from run to run: without them the texts are the same, byte for byte.
enum class Times { shown, left_out };

// One line per method, the best first: by regret where the truth is known, else by the doubly robust value. Where the
// best single treatment is among the methods, each has its difference to that too.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, Times times);

// The same table. A figure that a method does not have is an empty cell.
[[nodiscard]] std::string comparison_csv(const Comparison& comparison, Times times);

// With every split.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, Times times);

}  // namespace polyrx
