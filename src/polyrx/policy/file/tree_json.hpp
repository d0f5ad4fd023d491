// SPDX-License-Identifier: Apache-2.0
// Reads and writes a tree and its model as a versioned JSON file; numbers round-trip bit for bit.
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

// The format is in docs/formats.md. Writes in pieces, one node at a time. Throws a data error for numbers that are not
// finite, because JSON cannot represent them.
void write_tree_json(const TreePolicy& tree, const ByteSink& sink);

// Whether the file claims to be a tree, valid or not. Other files may be models.
[[nodiscard]] bool is_tree_file(std::string_view bytes);

// Throws a data error that says what is wrong: invalid or truncated JSON, not a polyrx tree, written by a newer
// version, changed after writing, or inconsistent. `name` begins the message. Does not verify certificates.
[[nodiscard]] TreePolicy parse_tree_json(std::string_view bytes, const std::string& name,
                                         const Progress& progress = {});
// Throws like parse_tree_json(), except for the structure of the tree. Holds at most one node at a time.
void check_tree_json(std::string_view bytes, const std::string& name);
// Replaces an existing file only after reading the new one back (check_written.hpp).
void save_tree(const TreePolicy& tree, const std::filesystem::path& path);
// "-" reads standard input.
[[nodiscard]] TreePolicy load_tree(const std::string& path, const Progress& progress = {});

}  // namespace polyrx
