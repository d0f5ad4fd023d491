// SPDX-License-Identifier: Apache-2.0
// "did you mean ...?": the known name that a mistyped one most resembles.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polyrx {

// A name that differs in case and spaces only, or else the first of those with the fewest typing errors (a letter
// added, left out, changed, or two exchanged), if these are at most two and fewer than half the letters.
[[nodiscard]] std::optional<std::string> closest_name(std::string_view wanted, std::span<const std::string> known);

// " (did you mean 'unit'?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view wanted, std::span<const std::string> known);

}  // namespace polyrx
