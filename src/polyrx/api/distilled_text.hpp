// SPDX-License-Identifier: Apache-2.0
// The result of distillation as text, JSON and a chart.
#pragma once

#include <string>

#include "polyrx/core/json/json.hpp"
#include "polyrx/fit/distill/distill.hpp"

namespace polyrx {

// Compares the tree with the model and with one treatment for all; no line break at the end.
[[nodiscard]] std::string text_of(const Distilled& distilled);

// The frontier with one line per tree.
[[nodiscard]] std::string frontier_table(const Distilled& distilled);

[[nodiscard]] Json json_of(const Distilled& distilled);
// `model` and `tree` are the files of the distilled model and its tree; an empty `tree` is omitted.
[[nodiscard]] Json json_of(const Distilled& distilled, const std::string& model, const std::string& tree);

[[nodiscard]] std::string frontier_svg(const Distilled& distilled);

}  // namespace polyrx
