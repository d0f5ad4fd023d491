// SPDX-License-Identifier: Apache-2.0
// What was distilled, for people, for machines and as a picture.
#pragma once

#include <string>

#include "polyrx/core/json/json.hpp"
#include "polyrx/fit/distill/distill.hpp"

namespace polyrx {

// What the tree is worth beside the model and one treatment for all; no line break at the end.
[[nodiscard]] std::string text_of(const Distilled& distilled);

// The frontier, a line for each tree.
[[nodiscard]] std::string frontier_table(const Distilled& distilled);

[[nodiscard]] Json json_of(const Distilled& distilled);
// With the files that the model and its tree were written to; no tree where that is empty.
[[nodiscard]] Json json_of(const Distilled& distilled, const std::string& model, const std::string& tree);

[[nodiscard]] std::string frontier_svg(const Distilled& distilled);

}  // namespace polyrx
