// SPDX-License-Identifier: Apache-2.0
// A file that may be a model or a tree.
#pragma once

#include <string>
#include <variant>

#include "polyrx/core/progress.hpp"
#include "polyrx/policy/tree_policy.hpp"

namespace polyrx {

using ModelOrTree = std::variant<Policy, TreePolicy>;

// Reads the file only once, because it may be a pipe; "-" is standard input.
[[nodiscard]] ModelOrTree load_model_or_tree(const std::string& path, const Progress& progress);

}  // namespace polyrx
