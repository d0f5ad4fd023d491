// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

constexpr std::array all_types = {ColumnType::numeric, ColumnType::categorical, ColumnType::boolean};

// Throws a data error for duplicates.
std::vector<std::string> texts_in(const JsonCursor& json) {
    std::set<std::string> seen;
    for (const JsonCursor text : json.items())
        if (!seen.insert(text.text()).second)
            text.fail(fmt::format("{} stands there twice", in_quotes(text.text_view())));
    return json.texts();
}

// Labels that can occur in a cell, so never empty.
std::vector<std::string> labels_in(const JsonCursor& json) {
    for (const JsonCursor label : json.items())
        if (trimmed(label.text_view()).empty()) label.fail("an empty text means a missing value");
    return texts_in(json);
}

ColumnType type_in(const JsonCursor& json) {
    if (json.json().is_text())
        for (const ColumnType type : all_types)
            if (json.text_view() == name_of(type)) return type;
    json.fail_expected("numeric, categorical or boolean");
}

ColumnSchema column_in(const std::string& name, const JsonCursor& json) {
    json.expect_object({"type", "unit", "categories", "min", "max", "integer"});
    ColumnSchema column;
    column.name = name;
    if (const auto type = json.find("type")) column.type = type_in(*type);
    if (const auto unit = json.find("unit")) column.unit = unit->text();
    if (const auto categories = json.find("categories")) {
        column.categories = labels_in(*categories);
        if (column.categories.empty()) categories->fail("the list is empty (leave it out to take them from the data)");
        if (column.type.value_or(ColumnType::categorical) != ColumnType::categorical)
            json.fail(fmt::format("a {} column has no 'categories'", name_of(*column.type)));
    }
    if (const auto integer = json.find("integer")) column.integer = integer->truth();
    if (const auto lower = json.find("min")) column.lower = lower->number();
    if (const auto upper = json.find("max")) column.upper = upper->number();
    if (column.lower || column.upper || column.integer) {
        if (column.type.value_or(ColumnType::numeric) != ColumnType::numeric || !column.categories.empty())
            json.fail("only a numeric column has 'min', 'max' or 'integer'");
        if (column.lower && column.upper && *column.lower > *column.upper)
            json.fail(fmt::format("'min' is {}, which is above the 'max' of {}", *column.lower, *column.upper));
    }
    return column;
}

void check_missing_texts(const Schema& schema, const JsonCursor& root) {
    const NameIndex missing(schema.missing.value_or(default_missing_texts));
    for (const std::string& label : schema.treatments)
        if (missing.contains(trimmed(label)))
            root.fail(fmt::format("the treatment {} also means a missing value; rename it or change 'missing'",
                                  in_quotes(label)));
    if (!schema.missing) return;  // declared categories take precedence over the default missing texts
    for (const ColumnSchema& column : schema.columns)
        for (const std::string& category : column.categories)
            if (missing.contains(trimmed(category)))
                root.fail(fmt::format(
                    "column {}: the category {} also means a missing value; remove it here or from 'missing'",
                    in_quotes(column.name), in_quotes(category)));
}

}  // namespace

const ColumnSchema* Schema::find(std::string_view column) const {
    const auto found = std::ranges::find(columns, column, &ColumnSchema::name);
    return found == columns.end() ? nullptr : &*found;
}

Schema parse_schema(std::string_view json, const std::string& name) {
    const JsonDocument document = parse_json_document(json, name);
    const JsonCursor root = document.root();
    root.expect_object({"columns", "treatments", "missing"});

    Schema schema;
    if (const auto columns = root.find("columns"))
        for (const JsonMember& column : columns->members())
            schema.columns.push_back(column_in(column.name, columns->member(column)));
    if (const auto treatments = root.find("treatments")) {
        schema.treatments = labels_in(*treatments);
        if (schema.treatments.size() < 2) treatments->fail("at least two must be named");
    }
    if (const auto missing = root.find("missing")) {
        schema.missing = texts_in(*missing);
        for (std::string& text : *schema.missing) text = std::string(trimmed(text));
    }
    check_missing_texts(schema, root);
    return schema;
}

Schema read_schema(const std::filesystem::path& path, const Progress& progress) {
    const std::string name = path == "-" ? "stdin" : path.string();
    return parse_schema(read_bytes(path.string(), progress), name);
}

std::string schema_json(const Schema& schema) {
    Json columns = Json::object();
    for (const ColumnSchema& column : schema.columns) {
        Json json = Json::object();
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
        columns.add(column.name, std::move(json));
    }
    Json root;
    root.add("columns", std::move(columns));
    if (!schema.treatments.empty()) root["treatments"] = schema.treatments;
    if (schema.missing) root["missing"] = *schema.missing;
    return root.dump(2) + "\n";
}

}  // namespace polyrx
