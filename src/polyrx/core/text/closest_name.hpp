// SPDX-License-Identifier: Apache-2.0
// Suggests the known name most similar to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polyrx {

// Returns a name that differs only in case and spaces, otherwise the first with the smallest edit distance (insertions,
// deletions, substitutions, transpositions), if that is at most two and less than half the length.
[[nodiscard]] std::optional<std::string> closest_name(std::string_view wanted, std::span<const std::string> known);

// " (did you mean 'unit'?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view wanted, std::span<const std::string> known);

}  // namespace polyrx
