// SPDX-License-Identifier: Apache-2.0
// Rules as JSON, for programs that make or read them; and files of rules in either form.
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
// A condition is also {"all": [...]}, {"any": [...]} or {"not": {...}}; a rule that excludes has "exclude" for "allow".
// Formulas are text, with the exceptions that rules_text.hpp names.
[[nodiscard]] std::string to_json(const Rules& rules);
[[nodiscard]] Json json_of(const Rules& rules);

// A data error names the place: "rules.json: rules[0].if.any[1]: 'is' is missing". A side of a comparison may be a
// number instead of text. What is read can also be written as text.
[[nodiscard]] Rules parse_rules_json(std::string_view json, const std::string& name);
// From an object that may have other members too.
[[nodiscard]] Rules rules_in(const JsonCursor& json);
// From a text or a number.
[[nodiscard]] Formula formula_in(const JsonCursor& json);

// JSON if the first character that is not blank is {, and else text.
[[nodiscard]] Rules parse_rules_file(std::string_view bytes, const std::string& name);
[[nodiscard]] Rules read_rules(const std::filesystem::path& path);

}  // namespace polyrx
