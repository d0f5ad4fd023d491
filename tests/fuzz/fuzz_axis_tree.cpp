// SPDX-License-Identifier: Apache-2.0
// The reader of a tree's line on arbitrary bytes: an error, or a tree that survives being written and takes rows.
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/trees/axis_tree_text.hpp"

namespace {

const std::vector<int> levels = {0, 0, 5, 100};

void try_tree(std::string_view text, std::size_t numbers) {
    polyrx::TreeWithLeaves tree;
    try {
        tree = polyrx::parse_axis_tree(text, levels, numbers, "tree");
    } catch (const polyrx::Error& e) {
        if (e.kind() != polyrx::ErrorKind::data) std::abort();
        return;
    }
    const std::string written = polyrx::to_text(tree.tree, tree.leaves);
    const polyrx::TreeWithLeaves read = polyrx::parse_axis_tree(written, levels, numbers, "written");
    if (polyrx::to_text(read.tree, read.leaves) != written) std::abort();
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    for (const double value : {missing, -1e300, 0.0, 3.0, 1e300}) {
        const double code = value == 3 ? 3 : missing;  // of a category
        const double row[] = {value, value, code, code};
        const int leaf = polyrx::leaf_of(tree.tree, row, 1);
        if (leaf < 0 || static_cast<std::size_t>(leaf) >= tree.tree.nodes.size()) std::abort();
        if (tree.leaves.of(static_cast<std::size_t>(leaf)).size() != numbers) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try_tree(text, 1);
    try_tree(text, 3);
    return 0;
}
