// SPDX-License-Identifier: Apache-2.0
// The schema reader on arbitrary bytes: one clear line, or a schema that survives being written.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/table/schema.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::optional<polyrx::Schema> schema;
    try {
        schema = polyrx::parse_schema({reinterpret_cast<const char*>(data), size}, "schema.json");
    } catch (const polyrx::Error& e) {
        const std::string_view sentence = e.what();
        if (e.kind() != polyrx::ErrorKind::data || !polyrx::is_utf8(sentence)) std::abort();
        if (sentence.find('\n') != std::string_view::npos) std::abort();
        return 0;
    }
    const std::string written = polyrx::schema_json(*schema);
    if (polyrx::schema_json(polyrx::parse_schema(written, "written.json")) != written) std::abort();
    return 0;
}
