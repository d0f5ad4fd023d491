// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/json/json_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

bool is_plain_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
    });
}

// The path from a value to one inside it, found by address: "rules[0].if".
std::optional<std::string> path_to(const Json& wanted, const Json& from) {
    if (&wanted == &from) return "";
    const auto joined = [](std::string begin, const std::string& rest) {
        if (!rest.empty() && rest.front() != '[') begin += '.';
        return begin + rest;
    };
    if (from.is_array()) {
        for (std::size_t i = 0; i < from.items().size(); ++i)
            if (const auto rest = path_to(wanted, from.items()[i])) return joined(fmt::format("[{}]", i), *rest);
    } else if (from.is_object()) {
        for (const JsonMember& member : from.members())
            if (const auto rest = path_to(wanted, member.value))
                return joined(is_plain_name(member.name) ? member.name : in_quotes(member.name), *rest);
    }
    return std::nullopt;
}

std::string described(const Json& json) {
    if (json.is_text()) return fmt::format("the text {}", in_quotes(json.text()));
    return json.is_object() ? "an object" : json.is_array() ? "a list" : json.dump();
}

}  // namespace

JsonCursor JsonDocument::root() const {
    return {*this, json};
}

std::string JsonCursor::place() const {
    const std::string path = path_to(*json_, document_->json).value_or("");
    return path.empty() ? document_->name : fmt::format("{}: {}", document_->name, path);
}

void JsonCursor::fail(std::string_view what) const {
    throw data_error(fmt::format("{}: {}", place(), what));
}

void JsonCursor::fail_expected(std::string_view expected) const {
    fail(fmt::format("{} was expected, not {}", expected, described(*json_)));
}

void JsonCursor::fail_whole(const std::string& least, const std::string& most) const {
    fail_expected(fmt::format("a whole number from {} to {}", least, most));
}

void JsonCursor::expect_object() const {
    if (!json_->is_object()) fail_expected("an object");
}

void JsonCursor::expect_object(const std::vector<std::string>& known) const {
    expect_object();
    for (const JsonMember& member : json_->members())
        if (std::ranges::find(known, member.name) == known.end()) {
            const std::string guess = did_you_mean(member.name, known);
            fail(fmt::format("unknown member {}{}", in_quotes(member.name),
                             guess.empty() ? fmt::format(" (known are {})", listed(known, known.size())) : guess));
        }
}

std::optional<JsonCursor> JsonCursor::find(std::string_view name) const {
    expect_object();
    const Json* found = json_->find(name);
    return found ? std::optional(JsonCursor(*document_, *found)) : std::nullopt;
}

JsonCursor JsonCursor::at(std::string_view name) const {
    const std::optional<JsonCursor> found = find(name);
    if (!found) fail(fmt::format("'{}' is missing", name));
    return *found;
}

const std::vector<JsonMember>& JsonCursor::members() const {
    expect_object();
    return json_->members();
}

JsonItems JsonCursor::items() const {
    if (!json_->is_array()) fail_expected("a list");
    return {*document_, json_->items()};
}

JsonItems JsonCursor::items(std::size_t count) const {
    if (size() != count) fail(fmt::format("a list of {} was expected, not of {}", count, size()));
    return items();
}

std::size_t JsonCursor::size() const {
    return items().size();
}

std::vector<double> JsonCursor::numbers() const {
    std::vector<double> numbers;
    numbers.reserve(size());
    for (const JsonCursor item : items()) numbers.push_back(item.number());
    return numbers;
}

std::vector<std::string> JsonCursor::texts() const {
    std::vector<std::string> texts;
    texts.reserve(size());
    for (const JsonCursor item : items()) texts.push_back(item.text());
    return texts;
}

std::string JsonCursor::text() const {
    return std::string(text_view());
}

std::string_view JsonCursor::text_view() const {
    if (!json_->is_text()) fail_expected("a text");
    return json_->text();
}

bool JsonCursor::truth() const {
    if (!json_->is_bool()) fail_expected("true or false");
    return json_->truth();
}

double JsonCursor::number() const {
    if (!json_->is_number()) fail_expected("a number");
    return json_->number();
}

}  // namespace polyrx
