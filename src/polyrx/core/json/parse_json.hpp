// SPDX-License-Identifier: Apache-2.0
// Parses JSON: strict RFC 8259, within the limits of json_limits.hpp.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/json/json_limits.hpp"

namespace polyrx {

struct JsonParsing {
    // Long texts without escapes refer to the parsed text, which must outlive the value. The trees of a forest take
    // gigabytes.
    bool borrow_long_texts = false;
    // Deeper values are checked, but replaced by null.
    int deepest_kept = deepest_json;
};

// Throws a data error that begins with `name` and gives the position and the reason, including an exceeded limit. Skips
// a byte order mark. Rejects duplicate names in an object, because JSON does not define their meaning.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& name, const JsonParsing& parsing = {});

}  // namespace polyrx
