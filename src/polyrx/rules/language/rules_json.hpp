// SPDX-License-Identifier: Apache-2.0
// Rules as JSON, and files with rules as JSON or text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

class Json;
class JsonCursor;

// {"lets": [{"name": "bmi", "formula": "weight / height^2"}],
//  "rules": [{"if": {"left": "bmi", "is": ">", "right": "30"}, "allow": ["Medium", "High"]}]}
// A condition may also be {"all": [...]}, {"any": [...]} or {"not": {...}}. A rule may have "exclude" instead of
// "allow". Formulas are text, with the exceptions in rules_text.hpp.
[[nodiscard]] std::string to_json(const Rules& rules);
[[nodiscard]] Json json_of(const Rules& rules);

// Throws data errors with the place: "rules.json: rules[0].if.any[1]: 'is' is missing". A side of a comparison may be a
// number instead of text. Results of parsing can also be written as text.
[[nodiscard]] Rules parse_rules_json(std::string_view json, const std::string& name);
// Reads rules from an object, which may have other members.
[[nodiscard]] Rules rules_in(const JsonCursor& json);
// Reads a text or a number.
[[nodiscard]] Formula formula_in(const JsonCursor& json);

// Reads JSON if the first nonblank character is {, otherwise text.
[[nodiscard]] Rules parse_rules_file(std::string_view bytes, const std::string& name);
[[nodiscard]] Rules read_rules(const std::filesystem::path& path);

}  // namespace polyrx
