// SPDX-License-Identifier: Apache-2.0
// JSON text to a value: strict RFC 8259, within the limits of json_limits.hpp.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/json/json_limits.hpp"

namespace polyrx {

struct JsonParsing {
    // Long texts without escapes stay in the parsed text, which must then outlive the value: the trees of a forest take
    // gigabytes.
    bool borrow_long_texts = false;
    // What is deeper is checked and left out: null in its place.
    int deepest_kept = deepest_json;
};

// Throws a data error that begins with `name` and says where the text is not JSON, why, and which limit it exceeds. A
// byte order mark is skipped. A name that appears twice in one object is an error: JSON leaves open what it means.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& name, const JsonParsing& parsing = {});

}  // namespace polyrx
