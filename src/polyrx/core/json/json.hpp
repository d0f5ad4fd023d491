// SPDX-License-Identifier: Apache-2.0
// A JSON value, for reading and writing. Objects keep the order of their members.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polyrx {

// Handling of text that is not UTF-8, which JSON cannot contain: throw a data error, or replace invalid bytes by
// U+FFFD.
enum class InvalidUtf8 { refuse, replace };

struct JsonMember;

// A number takes 16 bytes, because models have millions. Whole numbers have their own types, because they are written
// without a decimal point.
class Json {
public:
    Json() = default;
    Json(std::nullptr_t) {}
    template <std::same_as<bool> Bool>
    Json(Bool truth) : value_(truth) {}
    template <std::integral Whole>
        requires(!std::same_as<Whole, bool> && !std::same_as<Whole, char>)
    Json(Whole number) {
        if constexpr (std::is_signed_v<Whole>)
            if (number < 0) {
                value_ = static_cast<std::int64_t>(number);
                return;
            }
        value_ = static_cast<std::uint64_t>(number);
    }
    // Written as null if it is not finite.
    Json(double number) : value_(number) {}
    Json(std::string text) : value_(Boxed<std::string>(std::move(text))) {}
    Json(std::string_view text) : Json(std::string(text)) {}
    Json(const char* text) : Json(std::string(text)) {}
    template <class T>
    Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
    template <class T>
    Json(const std::vector<T>& list) : Json(array_of(list)) {}
    template <class T, std::size_t count>
    Json(const std::array<T, count>& list) : Json(array_of(list)) {}
    // {{"rows", 12}, {"model", "tree"}}. Does not check that names are distinct.
    Json(std::initializer_list<JsonMember> members);

    [[nodiscard]] static Json array() { return Json(Boxed<std::vector<Json>>({})); }
    [[nodiscard]] static Json array(std::vector<Json> items) {
        return Json(Boxed<std::vector<Json>>(std::move(items)));
    }
    [[nodiscard]] static Json object();
    [[nodiscard]] static Json object(std::vector<JsonMember> members);
    // Refers to a text that must outlive the value and not move.
    [[nodiscard]] static Json borrowed(std::string_view text) { return Json(Boxed<std::string_view>(text)); }

    [[nodiscard]] bool is_null() const { return holds<std::monostate>(); }
    [[nodiscard]] bool is_bool() const { return holds<bool>(); }
    [[nodiscard]] bool is_whole() const { return holds<std::uint64_t>() || holds<std::int64_t>(); }
    [[nodiscard]] bool is_number() const { return is_whole() || holds<double>(); }
    [[nodiscard]] bool is_text() const { return holds<Boxed<std::string>>() || holds<Boxed<std::string_view>>(); }
    [[nodiscard]] bool is_array() const { return holds<Boxed<std::vector<Json>>>(); }
    [[nodiscard]] bool is_object() const { return holds<Boxed<std::vector<JsonMember>>>(); }

    // These throw std::bad_variant_access for another kind of value. Use a JsonCursor for documents from files.
    [[nodiscard]] bool truth() const { return std::get<bool>(value_); }
    [[nodiscard]] double number() const;
    // The value as this type; empty unless it is a whole number that fits.
    template <std::integral Whole>
    [[nodiscard]] std::optional<Whole> whole() const {
        if (const auto* number = std::get_if<std::uint64_t>(&value_); number && std::in_range<Whole>(*number))
            return static_cast<Whole>(*number);
        if (const auto* number = std::get_if<std::int64_t>(&value_); number && std::in_range<Whole>(*number))
            return static_cast<Whole>(*number);
        return std::nullopt;
    }
    [[nodiscard]] std::string_view text() const;
    [[nodiscard]] const std::vector<Json>& items() const { return *std::get<Boxed<std::vector<Json>>>(value_); }
    [[nodiscard]] std::vector<Json>& items() { return *std::get<Boxed<std::vector<Json>>>(value_); }
    [[nodiscard]] const std::vector<JsonMember>& members() const {
        return *std::get<Boxed<std::vector<JsonMember>>>(value_);
    }
    [[nodiscard]] std::vector<JsonMember>& members() { return *std::get<Boxed<std::vector<JsonMember>>>(value_); }

    // nullptr if there is no such member, or if this is not an object.
    [[nodiscard]] const Json* find(std::string_view name) const;
    // Finds a member, or adds it as null. Turns null into an object.
    Json& operator[](std::string_view name);
    // Appends a member without searching for the name, which would be quadratic for many members.
    void add(std::string name, Json value);
    void erase(std::string_view name);
    // Appends to a list. Turns null into a list.
    void push_back(Json item);

    // Sorts members by name at all levels, so that equal content has equal text.
    void sort_members();

    // On one line, or with `indent` spaces per level.
    [[nodiscard]] std::string dump(std::optional<int> indent = {}, InvalidUtf8 invalid = InvalidUtf8::refuse) const;
    // Writes the text in pieces, for documents of gigabytes.
    void write(const std::function<void(std::string_view)>& sink) const;

private:
    // A heap value that is copied with its owner; null only if moved from.
    template <class T>
    class Boxed {
    public:
        explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
        Boxed(const Boxed& other) : value_(std::make_unique<T>(*other.value_)) {}
        Boxed(Boxed&&) noexcept = default;
        Boxed& operator=(const Boxed& other) {
            *this = Boxed(other);
            return *this;
        }
        Boxed& operator=(Boxed&&) noexcept = default;
        ~Boxed() = default;

        const T& operator*() const { return *value_; }
        T& operator*() { return *value_; }

    private:
        std::unique_ptr<T> value_;
    };

    template <class List>
    [[nodiscard]] static Json array_of(const List& list) {
        std::vector<Json> items;
        items.reserve(list.size());
        for (const auto& item : list) items.emplace_back(item);
        return array(std::move(items));
    }

    template <class T>
    explicit Json(Boxed<T> value) : value_(std::move(value)) {}
    template <class T>
    [[nodiscard]] bool holds() const {
        return std::holds_alternative<T>(value_);
    }

    // Whole numbers are unsigned unless negative.
    std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, Boxed<std::string>, Boxed<std::string_view>,
                 Boxed<std::vector<Json>>, Boxed<std::vector<JsonMember>>>
        value_;
};

struct JsonMember {
    std::string name;
    Json value;
};

// The text as a JSON string, with quotes.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace polyrx
