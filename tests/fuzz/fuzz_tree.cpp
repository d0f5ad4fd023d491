// SPDX-License-Identifier: Apache-2.0
// The tree reader on arbitrary bytes: an error, or a tree that survives being written and can prescribe.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "tests/support/empty_row.hpp"
#include "tests/support/tree_text.hpp"

namespace {

void try_tree(const std::string& text) {
    try {
        const polyrx::TreePolicy tree = polyrx::parse_tree_json(text, "tree.json");
        const std::string written = polyrx::test::text_of(tree);
        if (polyrx::test::text_of(polyrx::parse_tree_json(written, "written.json")) != written) std::abort();
        if (!polyrx::is_tree_file(written)) std::abort();
        (void)polyrx::prescribe(tree, polyrx::test::empty_row(tree.policy), {.outcomes = true});
    } catch (const polyrx::Error&) {
        return;  // a clear sentence is all that bad input gets
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)polyrx::is_tree_file(text);
    try_tree(text);
    // Hardly any mutation keeps the checksum, so the input is also tried under one that fits.
    try_tree(polyrx::test::with_checksum(text));
    return 0;
}
