// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array all_types = {ColumnType::numeric, ColumnType::categorical, ColumnType::boolean};

// Shortens the JSON library's message: "not valid JSON: line 1, column 5: syntax error ...".
std::string json_error(std::string_view what) {
    if (const auto end = what.find("] "); what.starts_with('[') && end != std::string_view::npos)
        what.remove_prefix(end + 2);
    if (constexpr std::string_view prefix = "parse error at "; what.starts_with(prefix))
        what.remove_prefix(prefix.size());
    // The text that the library quotes may be long, and may not be valid UTF-8.
    const auto read = what.find("; last read: ");
    const auto expected = what.rfind("; expected ");
    if (read != std::string_view::npos)
        return fmt::format(
            "not valid JSON: {}{}", what.substr(0, read),
            expected != std::string_view::npos && is_utf8(what.substr(expected)) ? what.substr(expected) : "");
    return fmt::format("not valid JSON: {}", what);
}

// A location in a schema file that prefixes messages: "schema.json: column 'age'".
struct Place {
    std::string name;

    [[noreturn]] void fail(const std::string& sentence) const {
        throw data_error(fmt::format("{}: {}", name, sentence));
    }

    void expect_keys(const Json& object, const std::vector<std::string>& known) const {
        for (const auto& [key, value] : object.items())
            if (std::ranges::find(known, key) == known.end()) {
                const std::string guess = did_you_mean(key, known);
                fail(fmt::format("unknown key {}{}", in_quotes(key),
                                 guess.empty() ? fmt::format(" (known are {})", listed(known, known.size())) : guess));
            }
    }

    void expect(bool holds, std::string_view key, std::string_view expected, const Json& found) const {
        if (!holds) fail(fmt::format("'{}' must be {}, not {}", key, expected, described(found)));
    }

    static std::string described(const Json& value) {
        if (value.is_string()) return fmt::format("the text {}", in_quotes(value.get<std::string>()));
        if (value.is_object()) return "an object";
        if (value.is_array()) return "a list";
        return value.dump();
    }

    std::vector<std::string> texts(const Json& list, std::string_view key) const {
        expect(list.is_array(), key, "a list of texts", list);
        std::vector<std::string> texts;
        for (const Json& entry : list) {
            if (!entry.is_string()) fail(fmt::format("'{}' must hold texts only, not {}", key, described(entry)));
            texts.push_back(entry.get<std::string>());
            if (std::ranges::count(texts, texts.back()) > 1)
                fail(fmt::format("'{}' names {} twice", key, in_quotes(texts.back())));
        }
        return texts;
    }

    // Labels that can occur in a cell, so never empty.
    std::vector<std::string> labels(const Json& list, std::string_view key) const {
        auto found = texts(list, key);
        for (const std::string& label : found)
            if (trimmed(label).empty()) fail(fmt::format("'{}' holds an empty text, which means a missing value", key));
        return found;
    }
};

Json parsed(std::string_view json, const Place& file) {
    // JSON does not define repeated keys, and the library keeps the last one, so they are refused.
    std::vector<std::set<std::string>> keys;
    const auto check_keys = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            file.fail(fmt::format("the key {} appears twice in one object", in_quotes(value.get<std::string>())));
        return true;
    };
    try {
        return Json::parse(json, check_keys);
    } catch (const Json::exception& e) {
        file.fail(json_error(e.what()));
    }
}

ColumnType parse_type(const Json& value, const Place& place) {
    if (value.is_string())
        for (const ColumnType type : all_types)
            if (value.get<std::string>() == name_of(type)) return type;
    place.fail(fmt::format("'type' must be numeric, categorical or boolean, not {}", Place::described(value)));
}

ColumnSchema parse_column(const std::string& column_name, const Json& json, const Place& file) {
    const Place place{fmt::format("{}: column {}", file.name, in_quotes(column_name))};
    if (!json.is_object()) place.fail(fmt::format("an object was expected, not {}", Place::described(json)));
    place.expect_keys(json, {"type", "unit", "categories", "min", "max", "integer"});

    ColumnSchema column;
    column.name = column_name;
    const auto number = [&](const char* key) -> std::optional<double> {
        if (!json.contains(key)) return std::nullopt;
        place.expect(json[key].is_number(), key, "a number", json[key]);
        return json[key].get<double>();
    };
    if (json.contains("type")) column.type = parse_type(json["type"], place);
    if (json.contains("unit")) {
        place.expect(json["unit"].is_string(), "unit", "a text", json["unit"]);
        column.unit = json["unit"].get<std::string>();
    }
    if (json.contains("categories")) {
        column.categories = place.labels(json["categories"], "categories");
        if (column.categories.empty()) place.fail("'categories' is empty (leave it out to take them from the data)");
        if (column.type.value_or(ColumnType::categorical) != ColumnType::categorical)
            place.fail(fmt::format("a {} column has no 'categories'", name_of(*column.type)));
    }
    if (json.contains("integer")) {
        place.expect(json["integer"].is_boolean(), "integer", "true or false", json["integer"]);
        column.integer = json["integer"].get<bool>();
    }
    column.lower = number("min");
    column.upper = number("max");
    if (column.lower || column.upper || column.integer) {
        if (column.type.value_or(ColumnType::numeric) != ColumnType::numeric || !column.categories.empty())
            place.fail("only a numeric column has 'min', 'max' or 'integer'");
        if (column.lower && column.upper && *column.lower > *column.upper)
            place.fail(fmt::format("'min' is {}, which is above the 'max' of {}", *column.lower, *column.upper));
    }
    return column;
}

void check_missing_texts(const Schema& schema, const Place& file) {
    const auto& missing = schema.missing.value_or(default_missing_texts);
    for (const std::string& label : schema.treatments)
        if (std::ranges::find(missing, trimmed(label)) != missing.end())
            file.fail(fmt::format("the treatment {} also means a missing value; rename it or change 'missing'",
                                  in_quotes(label)));
    if (!schema.missing) return;  // declared categories take precedence over the default missing texts
    for (const ColumnSchema& column : schema.columns)
        for (const std::string& category : column.categories)
            if (std::ranges::find(missing, trimmed(category)) != missing.end())
                file.fail(fmt::format(
                    "column {}: the category {} also means a missing value; remove it here or from 'missing'",
                    in_quotes(column.name), in_quotes(category)));
}

}  // namespace

const ColumnSchema* Schema::find(std::string_view column) const {
    const auto found = std::ranges::find(columns, column, &ColumnSchema::name);
    return found == columns.end() ? nullptr : &*found;
}

Schema parse_schema(std::string_view json, const std::string& name) {
    const Place file{name};
    const Json root = parsed(json, file);
    if (!root.is_object())
        file.fail(fmt::format("an object with 'columns' was expected, not {}", Place::described(root)));
    file.expect_keys(root, {"columns", "treatments", "missing"});

    Schema schema;
    if (root.contains("columns")) {
        const Json& columns = root["columns"];
        file.expect(columns.is_object(), "columns", "an object", columns);
        for (const auto& [column_name, column] : columns.items())
            schema.columns.push_back(parse_column(column_name, column, file));
    }
    if (root.contains("treatments")) {
        schema.treatments = file.labels(root["treatments"], "treatments");
        if (schema.treatments.size() < 2) file.fail("'treatments' must name at least two");
    }
    if (root.contains("missing")) {
        schema.missing = file.texts(root["missing"], "missing");
        for (std::string& text : *schema.missing) text = std::string(trimmed(text));
    }
    check_missing_texts(schema, file);
    return schema;
}

Schema read_schema(const std::filesystem::path& path, const Progress& progress) {
    const std::string name = path == "-" ? "stdin" : path.string();
    return parse_schema(read_bytes(path.string(), progress), name);
}

std::string schema_json(const Schema& schema) {
    Json root = Json::object();
    Json& columns = root["columns"] = Json::object();
    for (const ColumnSchema& column : schema.columns) {
        Json& json = columns[column.name] = Json::object();
        if (column.type) json["type"] = name_of(*column.type);
        if (!column.unit.empty()) json["unit"] = column.unit;
        if (!column.categories.empty()) json["categories"] = column.categories;
        // 120, not 120.0.
        const auto number = [](double value) {
            const bool whole = value == std::trunc(value) && std::abs(value) < 0x1p53;
            return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
        };
        if (column.lower) json["min"] = number(*column.lower);
        if (column.upper) json["max"] = number(*column.upper);
        if (column.integer) json["integer"] = true;
    }
    if (!schema.treatments.empty()) root["treatments"] = schema.treatments;
    if (schema.missing) root["missing"] = *schema.missing;
    return root.dump(2) + "\n";
}

}  // namespace polyrx
