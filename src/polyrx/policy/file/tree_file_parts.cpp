// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/tree_file_parts.hpp"

#include <string>

#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/tree_json.hpp"

namespace polyrx {
namespace {

constexpr std::string_view nodes_line = ",\n \"nodes\": [\n";
constexpr std::string_view end_of_nodes = " ],\n";
constexpr std::string_view checksum_line = " \"sha256\": \"";

}  // namespace

std::optional<TreeFileParts> tree_file_parts(std::string_view bytes) {
    constexpr std::size_t digits = 64;
    const auto nodes_at = bytes.find(nodes_line);
    const auto checksum_at = bytes.rfind(checksum_line);
    if (nodes_at == std::string_view::npos || checksum_at == std::string_view::npos || checksum_at < nodes_at)
        return std::nullopt;
    const std::string_view before = bytes.substr(0, checksum_at);
    const std::string_view ending = bytes.substr(checksum_at + checksum_line.size());
    const std::size_t first = nodes_at + nodes_line.size();
    if (!before.ends_with(end_of_nodes) || before.size() < first + end_of_nodes.size() || ending.size() < digits ||
        !ending.substr(digits).starts_with("\"\n}") ||
        ending.find_first_not_of(" \r\n\t", digits + 3) != std::string_view::npos ||
        ending.substr(0, digits) != sha256_hex(before))
        return std::nullopt;
    return TreeFileParts{bytes.substr(0, nodes_at), before.substr(first, before.size() - first - end_of_nodes.size())};
}

bool is_tree_file(std::string_view bytes) {
    // Looks for a key and its value with any whitespace, because other programs may have reformatted the file. Inside a
    // string, the quotes would be escaped.
    const auto skip_back = [&](std::size_t end) {
        while (end > 0 && std::string_view(" \t\r\n").find(bytes[end - 1]) != std::string_view::npos) --end;
        return end;
    };
    const std::string value = "\"polyrx-tree\"";
    for (auto at = bytes.find(value); at != std::string_view::npos; at = bytes.find(value, at + 1)) {
        std::size_t end = skip_back(at);
        if (end == 0 || bytes[end - 1] != ':') continue;
        end = skip_back(end - 1);
        if (bytes.substr(0, end).ends_with("\"format\"")) return true;
    }
    return false;
}

}  // namespace polyrx
