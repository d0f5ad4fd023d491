// SPDX-License-Identifier: Apache-2.0
// Tree files as texts, and with their checksum made to fit a change.
#pragma once

#include <string>

#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/tree_json.hpp"

namespace polyrx::test {

inline std::string text_of(const TreePolicy& tree) {
    std::string text;
    write_tree_json(tree, [&](std::string_view piece) { text += piece; });
    return text;
}

// As it is if it has no line for a checksum.
inline std::string with_checksum(std::string text) {
    const std::string line = "\n \"sha256\": \"";
    const auto at = text.rfind(line);
    if (at == std::string::npos || text.size() < at + line.size() + 64) return text;
    return text.replace(at + line.size(), 64, sha256_hex(std::string_view(text).substr(0, at + 1)));
}

}  // namespace polyrx::test
