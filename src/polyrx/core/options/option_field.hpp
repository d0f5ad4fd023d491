// SPDX-License-Identifier: Apache-2.0
// Describes a field of an options struct once: its name, help, range, and conversion from and to text.
//
// Program, man page, completions, range checks and the options in model files use this description. Each options struct
// has a list of fields next to it; tests/unit/option_fields_test.cpp checks that the list is complete.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/options/option_text.hpp"

namespace polyrx {

// Option names and values as text.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// The range of a number. `words` follow "is not" and "expected" in messages.
struct Allowed {
    std::string_view words = {};  // empty: any number
    bool (*holds)(double) = nullptr;
};

namespace allowed {

inline constexpr Allowed any;
inline constexpr Allowed whole_from_0{"a whole number of 0 or more", [](double n) { return n >= 0; }};
inline constexpr Allowed whole_from_1{"a whole number of 1 or more", [](double n) { return n >= 1; }};
inline constexpr Allowed whole_from_2{"a whole number of 2 or more", [](double n) { return n >= 2; }};
inline constexpr Allowed from_0{"a number of 0 or more", [](double x) { return x >= 0; }};
inline constexpr Allowed above_0{"a number above 0", [](double x) { return x > 0; }};
inline constexpr Allowed from_0_to_1{"a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; }};
inline constexpr Allowed between_0_and_1{"a number above 0 and below 1", [](double x) { return x > 0 && x < 1; }};
inline constexpr Allowed fraction{"a fraction from 0 to below 1", [](double x) { return x >= 0 && x < 1; }};

}  // namespace allowed

// Sections of help and documentation.
namespace option_group {

inline constexpr std::string_view data = "data";
inline constexpr std::string_view policy = "policy";
inline constexpr std::string_view support = "support and rules";
inline constexpr std::string_view tuning = "tuning";
inline constexpr std::string_view network = "network";
inline constexpr std::string_view output = "output";

}  // namespace option_group

template <class Options>
struct OptionField {
    std::string name;   // "learning-rate": --learning-rate, and the name in a model file
    std::string value;  // "X", what help shows for the value; empty: it is yes or no
    std::string help;   // starts in lower case, without a full stop
    std::string_view group = {};
    bool is_common = false;  // shown in short help
    std::string default_text = {};
    std::vector<std::string> choices = {};  // empty: any value in `allowed`
    Allowed allowed = {};
    std::string former_name = {};  // name in model files of earlier versions
    // Throws a usage error for invalid text; `shown` is the option's name in messages.
    std::function<void(Options&, std::string_view shown, std::string_view text)> read = {};
    std::function<std::string(const Options&)> write = {};  // text for read(); empty if not set
    std::function<std::optional<double>(const Options&)> number = {};
    std::function<bool(const Options&)> is_recorded =
        {};  // whether model files contain it; otherwise the default applies

    // Setters to chain: field(...).common().default_is("100")
    OptionField&& in(std::string_view group_name) && {
        group = group_name;
        return std::move(*this);
    }
    OptionField&& common() && {
        is_common = true;
        return std::move(*this);
    }
    OptionField&& must_be(Allowed range) && {
        allowed = range;
        return std::move(*this);
    }
    OptionField&& default_is(std::string text) && {
        default_text = std::move(text);
        return std::move(*this);
    }
    OptionField&& formerly(std::string other) && {
        former_name = std::move(other);
        return std::move(*this);
    }
    OptionField&& recorded_if(std::function<bool(const Options&)> condition) && {
        is_recorded = std::move(condition);
        return std::move(*this);
    }
    OptionField&& always_recorded() && {
        return std::move(*this).recorded_if([](const Options&) { return true; });
    }
    OptionField&& never_recorded() && {
        return std::move(*this).recorded_if([](const Options&) { return false; });
    }
};

namespace internal {

template <class T>
std::optional<double> as_number(const T& value) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
        return static_cast<double>(value);
    else
        return std::nullopt;
}
template <class T>
std::optional<double> as_number(const std::optional<T>& value) {
    return value ? as_number(*value) : std::nullopt;
}

}  // namespace internal

// `access` is a pointer to a member, or a function that returns a reference to the member of (const) options.
template <class Options, class Access>
[[nodiscard]] OptionField<Options> option_field(std::string name, Access access, std::string value, std::string help,
                                                Allowed range = {}) {
    OptionField<Options> field;
    field.name = std::move(name);
    field.value = std::move(value);
    field.help = std::move(help);
    field.allowed = range;
    field.read = [access, range](Options& options, std::string_view shown, std::string_view text) {
        auto& member = std::invoke(access, options);
        read_option(shown, text, range.words, member);
        const auto number = internal::as_number(member);
        if (range.holds && number && !range.holds(*number)) refuse_option(shown, text, range.words);
    };
    field.write = [access](const Options& options) { return option_text(std::invoke(access, options)); };
    field.number = [access](const Options& options) { return internal::as_number(std::invoke(access, options)); };
    field.is_recorded = [write = field.write](const Options& options) { return write(options) != write(Options{}); };
    return field;
}

// A field with one of `values`, which name_of() converts to text.
template <class Options, class Access, class Enum>
[[nodiscard]] OptionField<Options> choice_field(std::string name, Access access, std::vector<Enum> values,
                                                std::string value, std::string help) {
    OptionField<Options> field;
    for (const Enum each : values) field.choices.emplace_back(name_of(each));
    field.name = std::move(name);
    field.value = std::move(value);
    field.help = std::move(help);
    field.read = [access, values = std::move(values), names = field.choices](Options& options, std::string_view shown,
                                                                             std::string_view text) {
        const auto found = std::ranges::find(names, text);
        if (found == names.end()) refuse_choice(shown, text, names);
        std::invoke(access, options) = values[static_cast<std::size_t>(found - names.begin())];
    };
    field.write = [access](const Options& options) { return std::string(name_of(std::invoke(access, options))); };
    field.number = [](const Options&) { return std::optional<double>(); };
    field.is_recorded = [write = field.write](const Options& options) { return write(options) != write(Options{}); };
    return field;
}

// Finds the field with this name, which must exist.
template <class Options>
[[nodiscard]] const OptionField<Options>& field_named(std::span<const OptionField<Options>> fields,
                                                      std::string_view name) {
    return *std::ranges::find(fields, name, &OptionField<Options>::name);
}

// Throws a usage error for the first number that is out of range. A default is always valid, because it may mean "not
// set".
template <class Options>
void check_fields(std::span<const OptionField<Options>> fields, const Options& options) {
    const Options defaults{};
    for (const OptionField<Options>& field : fields)
        if (const auto number = field.number(options);
            field.allowed.holds && number && number != field.number(defaults) && !field.allowed.holds(*number))
            refuse_number(field.name, *number, field.allowed.words);
}

// The options that a model file contains.
template <class Options>
[[nodiscard]] OptionTexts recorded(std::span<const OptionField<Options>> fields, const Options& options) {
    OptionTexts texts;
    for (const OptionField<Options>& field : fields)
        if (field.is_recorded(options)) texts.emplace_back(field.name, field.write(options));
    return texts;
}

// Sets fields by present or former name and ignores unknown names. Returns false if a text is invalid.
template <class Options>
[[nodiscard]] bool read_recorded(std::span<const OptionField<Options>> fields,
                                 std::span<const OptionTexts::value_type> texts, Options& options) {
    for (const OptionField<Options>& field : fields)
        for (const auto& [name, text] : texts) {
            if (name != field.name && (field.former_name.empty() || name != field.former_name)) continue;
            try {
                field.read(options, field.name, text);
            } catch (const Error&) {
                return false;
            }
        }
    return true;
}

}  // namespace polyrx
