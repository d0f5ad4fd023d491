// SPDX-License-Identifier: Apache-2.0
// Reads a JSON document member by member. Unexpected content is a data error with its place: "rules.json: rules[0].if:
// a text was expected, not 3".
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/json/parse_json.hpp"

namespace polyrx {

class JsonCursor;
class JsonItems;

// A value, and the name of its file in messages.
struct JsonDocument {
    std::string name;
    Json json;

    // The document must not move.
    [[nodiscard]] JsonCursor root() const;
};

[[nodiscard]] inline JsonDocument parse_json_document(std::string_view text, std::string name,
                                                      const JsonParsing& parsing = {}) {
    Json json = parse_json(text, name, parsing);
    return {std::move(name), std::move(json)};
}

// A value in a document. Its place is searched only for messages, so a cursor is two pointers.
class JsonCursor {
public:
    JsonCursor(const JsonDocument& document, const Json& json) : document_(&document), json_(&json) {}

    [[nodiscard]] const Json& json() const { return *json_; }
    // "rules.json: rules[0].if"
    [[nodiscard]] std::string place() const;
    [[noreturn]] void fail(std::string_view what) const;
    // "a number was expected, not the text '3'"
    [[noreturn]] void fail_expected(std::string_view expected) const;

    // ---- objects: these throw if the value is not an object

    void expect_object() const;
    // Allows only these members.
    void expect_object(const std::vector<std::string>& known) const;
    [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
    [[nodiscard]] std::optional<JsonCursor> find(std::string_view name) const;
    [[nodiscard]] JsonCursor at(std::string_view name) const;
    [[nodiscard]] JsonCursor member(const JsonMember& member) const { return {*document_, member.value}; }
    [[nodiscard]] const std::vector<JsonMember>& members() const;

    // ---- lists

    [[nodiscard]] JsonItems items() const;
    // Requires exactly `count` items.
    [[nodiscard]] JsonItems items(std::size_t count) const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::vector<double> numbers() const;
    [[nodiscard]] std::vector<std::string> texts() const;

    // ---- single values

    [[nodiscard]] std::string text() const;
    // Refers to the document's text without a copy.
    [[nodiscard]] std::string_view text_view() const;
    [[nodiscard]] bool truth() const;
    [[nodiscard]] double number() const;
    // A whole number from `least` to `most`.
    template <std::integral Whole>
    [[nodiscard]] Whole whole(Whole least = std::numeric_limits<Whole>::min(),
                              Whole most = std::numeric_limits<Whole>::max()) const {
        const std::optional<Whole> number = json_->whole<Whole>();
        if (!number || *number < least || *number > most) fail_whole(std::to_string(least), std::to_string(most));
        return *number;
    }

private:
    [[noreturn]] void fail_whole(const std::string& least, const std::string& most) const;

    const JsonDocument* document_;
    const Json* json_;
};

// A range for range-based for.
class JsonItems {
public:
    JsonItems(const JsonDocument& document, const std::vector<Json>& items) : document_(&document), items_(&items) {}

    class Iterator {
    public:
        Iterator(const JsonDocument& document, const Json* json) : document_(&document), json_(json) {}
        JsonCursor operator*() const { return {*document_, *json_}; }
        Iterator& operator++() {
            ++json_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return json_ != other.json_; }

    private:
        const JsonDocument* document_;
        const Json* json_;
    };

    [[nodiscard]] Iterator begin() const { return {*document_, items_->data()}; }
    [[nodiscard]] Iterator end() const { return {*document_, items_->data() + items_->size()}; }
    [[nodiscard]] std::size_t size() const { return items_->size(); }
    [[nodiscard]] JsonCursor operator[](std::size_t i) const { return {*document_, (*items_)[i]}; }

private:
    const JsonDocument* document_;
    const std::vector<Json>* items_;
};

}  // namespace polyrx
