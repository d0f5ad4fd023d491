// SPDX-License-Identifier: Apache-2.0
// Splits a tree file at its lines.
//
// The layout is part of the format, because the checksum covers bytes. So nodes are read one by one, without a JSON
// document of all nodes in memory.
#pragma once

#include <optional>
#include <string_view>

namespace polyrx {

struct TreeFileParts {
    std::string_view head;   // up to the nodes
    std::string_view nodes;  // one line each
};

// Nothing unless the file has the layout and the checksum of write_tree_json().
[[nodiscard]] std::optional<TreeFileParts> tree_file_parts(std::string_view bytes);

}  // namespace polyrx
