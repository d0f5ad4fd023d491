// SPDX-License-Identifier: Apache-2.0
// The JSON reader on arbitrary bytes: an error where another reader has one too, or a value with the same content that
// survives being written.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/parse_json.hpp"
#include "polyrx/core/text/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto expected = nlohmann::ordered_json::parse(text, nullptr, false);
    try {
        polyrx::Json read = polyrx::parse_json(text, "fuzz.json");
        if (expected.is_discarded() || read.dump() != expected.dump() || read.dump(2) != expected.dump(2)) std::abort();
        const polyrx::Json again = polyrx::parse_json(read.dump(1), "written.json", {.borrow_long_texts = true});
        if (again.dump() != read.dump()) std::abort();
        read.sort_members();
        if (read.dump() != nlohmann::json::parse(text).dump()) std::abort();
    } catch (const polyrx::Error& error) {
        const std::string_view what = error.what();
        if (error.kind() != polyrx::ErrorKind::data || !polyrx::is_utf8(what)) std::abort();
        const bool is_only_ours = what.find("stands there twice") != std::string_view::npos ||
                                  what.find("nested more than") != std::string_view::npos;
        if (!expected.is_discarded() && !is_only_ours) std::abort();
    }
    return 0;
}
