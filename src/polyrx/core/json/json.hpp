// SPDX-License-Identifier: Apache-2.0
// One JSON value, for writing and for what was read. Objects keep the order of their members.
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

// What to do with a text that is not UTF-8, which JSON cannot hold: throw a data error, or write U+FFFD for what is
// wrong.
enum class InvalidUtf8 { refuse, replace };

struct JsonMember;

// 16 bytes for a number: models have millions. Whole numbers are kept apart from others, since they are written without
// a decimal point.
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
    // {{"rows", 12}, {"model", "tree"}}. JsonMember names are not checked for being distinct.
    Json(std::initializer_list<JsonMember> members);

    [[nodiscard]] static Json array() { return Json(Boxed<std::vector<Json>>({})); }
    [[nodiscard]] static Json array(std::vector<Json> items) {
        return Json(Boxed<std::vector<Json>>(std::move(items)));
    }
    [[nodiscard]] static Json object();
    [[nodiscard]] static Json object(std::vector<JsonMember> members);
    // A text that stays where it lies, and must outlive the value.
    [[nodiscard]] static Json borrowed(std::string_view text) { return Json(Boxed<std::string_view>(text)); }

    [[nodiscard]] bool is_null() const { return holds<std::monostate>(); }
    [[nodiscard]] bool is_bool() const { return holds<bool>(); }
    [[nodiscard]] bool is_whole() const { return holds<std::uint64_t>() || holds<std::int64_t>(); }
    [[nodiscard]] bool is_number() const { return is_whole() || holds<double>(); }
    [[nodiscard]] bool is_text() const { return holds<Boxed<std::string>>() || holds<Boxed<std::string_view>>(); }
    [[nodiscard]] bool is_array() const { return holds<Boxed<std::vector<Json>>>(); }
    [[nodiscard]] bool is_object() const { return holds<Boxed<std::vector<JsonMember>>>(); }

    // Each throws std::bad_variant_access for a value of another kind; of what was read, ask a JsonCursor.
    [[nodiscard]] bool truth() const { return std::get<bool>(value_); }
    [[nodiscard]] double number() const;
    // A whole number of this type; none if it does not fit, or is no whole number.
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

    // nullptr if there is no such member, or this is no object.
    [[nodiscard]] const Json* find(std::string_view name) const;
    // A member, added as null if there is none. Null becomes an object.
    Json& operator[](std::string_view name);
    // A new member at the end, without a search for one of that name: that would be quadratic for many.
    void add(std::string name, Json value);
    void erase(std::string_view name);
    // An item at the end of a list. Null becomes a list.
    void push_back(Json item);

    // Orders members by name, in all objects inside of this too, so that equal content is equal text.
    void sort_members();

    // On one line; or over many, each level indented by so many spaces.
    [[nodiscard]] std::string dump(std::optional<int> indent = {}, InvalidUtf8 invalid = InvalidUtf8::refuse) const;
    // dump() in pieces, for what may take gigabytes.
    void write(const std::function<void(std::string_view)>& sink) const;

private:
    // A value on the heap that is copied with its owner; null only after it was moved from.
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

    // A whole number is unsigned unless it is below 0.
    std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, Boxed<std::string>, Boxed<std::string_view>,
                 Boxed<std::vector<Json>>, Boxed<std::vector<JsonMember>>>
        value_;
};

struct JsonMember {
    std::string name;
    Json value;
};

// The text as JSON writes it, with its quotes.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace polyrx
