// SPDX-License-Identifier: Apache-2.0
// What was distilled, for people, for machines and as a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "polyrx/fit/distill/distill.hpp"

namespace polyrx::cli {

// What the tree is worth beside the model and one treatment for all; no line break at the end.
[[nodiscard]] std::string distilled_words(const Distilled& distilled);

// The frontier, a line for each tree.
[[nodiscard]] std::string frontier_table(const Distilled& distilled);

[[nodiscard]] nlohmann::ordered_json to_json(const Distilled& distilled);

[[nodiscard]] std::string frontier_svg(const Distilled& distilled);

}  // namespace polyrx::cli
