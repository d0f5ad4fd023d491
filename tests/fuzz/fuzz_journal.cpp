// SPDX-License-Identifier: Apache-2.0
// A journal of arbitrary bytes: an error that leaves the file as it was, or scores that are still there when it is
// opened again.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "polyrx/compare/journal.hpp"
#include "polyrx/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const polyrx::test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "journal";
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    std::size_t there = 0;
    try {
        polyrx::Journal journal(path, "key");
        there = journal.size();
        journal.add("a candidate", 1'000'000, {});
        there += 1;
    } catch (const polyrx::Error& e) {
        if (e.kind() != polyrx::ErrorKind::data || bytes_of(path) != bytes) std::abort();
        return 0;
    }
    const polyrx::Journal again(path, "key");
    const bool may_have_been_there = again.size() == there || again.size() + 1 == there;
    if (!may_have_been_there || !again.find("a candidate", 1'000'000)) std::abort();
    return 0;
}
