// SPDX-License-Identifier: Apache-2.0
// A tree file cut at its lines.
//
// The layout is part of the format: the checksum is of bytes. So nodes can be read one by one without ever being a
// document in memory.
#pragma once

#include <optional>
#include <string_view>

namespace polyrx {

struct TreeFileParts {
    std::string_view head;   // up to the nodes
    std::string_view nodes;  // one line each
};

// Nothing unless the file has the layout and the checksum that write_tree_json() gave it.
[[nodiscard]] std::optional<TreeFileParts> tree_file_parts(std::string_view bytes);

}  // namespace polyrx
