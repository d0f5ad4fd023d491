// SPDX-License-Identifier: Apache-2.0
// A tree and the model that it came from as one versioned JSON file, whose numbers survive the round trip bit for bit.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "polyrx/core/progress.hpp"
#include "polyrx/policy/tree_policy.hpp"

namespace polyrx {

inline constexpr int tree_format_version = 1;

using ByteSink = std::function<void(std::string_view)>;

// The format is in docs/formats.md. The sink gets the file piece by piece, a node at a time. Throws a data error if a
// number is not finite, which JSON cannot hold.
void write_tree_json(const TreePolicy& tree, const ByteSink& sink);

// Whether the file says that it is a tree, good or bad; what does not may be a model.
[[nodiscard]] bool is_tree_file(std::string_view bytes);

// Throws a data error that says what is wrong: not JSON or cut short, not a polyrx tree, written by a newer version,
// changed since it was written, or inconsistent. `name` begins the message. What the certificates claim is not checked.
[[nodiscard]] TreePolicy parse_tree_json(std::string_view bytes, const std::string& name,
                                         const Progress& progress = {});
// Throws as parse_tree_json() does, but for how nodes are put together, and holds no more than one at a time.
void check_tree_json(std::string_view bytes, const std::string& name);
// Replaces what is there only after the file was read back (check_written.hpp).
void save_tree(const TreePolicy& tree, const std::filesystem::path& path);
// "-" reads standard input.
[[nodiscard]] TreePolicy load_tree(const std::string& path, const Progress& progress = {});

}  // namespace polyrx
