// SPDX-License-Identifier: Apache-2.0
// Describes each verb and option once, for the parser, --help, the man page and completions.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "polyrx/core/options/option_field.hpp"

namespace polyrx::cli {

class Terminal;

// What shell completion offers for a value.
enum class Complete { nothing, file, directory };

struct Option {
    std::string name;   // "seed" for --seed; the shown name of a positional
    char letter = 0;    // 'o' for -o
    std::string value;  // "N"; empty for a flag
    std::string help;
    std::string default_text;          // shown in the help; may be empty
    std::vector<std::string> choices;  // empty: any value
    Complete complete = Complete::nothing;
    std::string group;         // heading in the help
    bool is_advanced = false;  // shown only in --help all
    bool required = false;
    bool is_positional = false;
    std::function<void(const std::string&)> assign;  // throws a usage error for an invalid value

    // Setters to chain: option(...).letter_is('o').must_be_given()
    Option&& letter_is(char c) &&;
    Option&& must_be_given() &&;
    Option&& completes(Complete kind) &&;
    Option&& one_of(std::vector<std::string> values) &&;
    Option&& default_is(std::string text) &&;
    Option&& advanced() &&;
    Option&& must_be(Allowed range) &&;  // range of a number
};

struct Verb {
    std::string name;
    std::string summary;      // one line for the list of verbs
    std::string description;  // a paragraph
    std::vector<Option> positionals;
    std::vector<Option> options;
    std::vector<std::string> example;  // lines of a worked example; the tests run them
    std::function<void(Terminal&)> run;

    // Appends options under this heading of the help.
    void add(std::string_view group, const std::vector<Option>& more);
};

// Parses a value. Throws a usage error with `flag`, the text and the expected values.
void parse_value(const std::string& flag, const std::string& text, std::string& target);
template <class Number>
    requires std::is_arithmetic_v<Number>
void parse_value(const std::string& flag, const std::string& text, Number& target) {
    read_option(flag, text, {}, target);
}
// Appends a comma-separated list, because an option may occur several times. Empty items are errors.
void parse_value(const std::string& flag, const std::string& text, std::vector<std::string>& target);

template <class T>
void parse_value(const std::string& flag, const std::string& text, std::optional<T>& target) {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        // Only an optional list distinguishes "empty" from "not given".
        if (!target) target.emplace();
        if (!text.empty()) parse_value(flag, text, *target);
        return;
    }
    T value{};
    parse_value(flag, text, value);
    target = std::move(value);
}

std::string default_text(const std::string& value);
std::string default_text(int value);
std::string default_text(std::uint64_t value);
std::string default_text(double value);
std::string default_text(const std::vector<std::string>& value);
template <class T>
std::string default_text(const std::optional<T>& value) {
    return value ? default_text(*value) : std::string();
}

// An option that sets `target`. The present value of `target` is the default in the help.
template <class T>
[[nodiscard]] Option option(T& target, std::string name, std::string value, std::string help) {
    Option option;
    option.assign = [&target, flag = "--" + name](const std::string& text) { parse_value(flag, text, target); };
    option.default_text = default_text(target);
    option.name = std::move(name);
    option.value = std::move(value);
    option.help = std::move(help);
    return option;
}

template <class Enum>
std::string default_name(Enum value) {
    return std::string(name_of(value));
}
template <class Enum>
std::string default_name(const std::optional<Enum>& value) {
    return value ? default_name(*value) : std::string();
}

// An option with one of `values`, which name_of() converts to text.
template <class Target, class Enum>
[[nodiscard]] Option choice(Target& target, const std::vector<Enum>& values, std::string name, std::string value,
                            std::string help) {
    Option option;
    option.name = std::move(name);
    option.value = std::move(value);
    option.help = std::move(help);
    std::vector<std::string> names;
    for (const Enum each : values) names.emplace_back(name_of(each));
    option.default_text = default_name(target);
    option.assign = [&target, all = values](const std::string& text) {
        for (const Enum each : all)
            if (name_of(each) == text) target = each;
    };
    return std::move(option).one_of(std::move(names));
}
template <class Target, class Enum>
[[nodiscard]] Option choice(Target& target, std::initializer_list<Enum> values, std::string name, std::string value,
                            std::string help) {
    return choice(target, std::vector<Enum>(values), std::move(name), std::move(value), std::move(help));
}

[[nodiscard]] Option flag(bool& target, std::string name, std::string help);

// Options of several verbs, with the same help.
[[nodiscard]] Option threads_option(int& target);
[[nodiscard]] Option json_option(bool& target);
[[nodiscard]] Option quiet_option(bool& target);
// -o, for a file of results or a model. A `target` of "-" is stdout.
[[nodiscard]] Option output_option(std::string& target, std::string help);
// --terms-per-split, for output; 0: all.
[[nodiscard]] Option terms_per_split_option(std::uint64_t& target);
[[nodiscard]] const std::string& seed_help();
[[nodiscard]] const std::string& max_seconds_help();
template <class Seed>
[[nodiscard]] Option seed_option(Seed& target) {
    return option(target, "seed", "N", seed_help());
}
template <class Seconds>
[[nodiscard]] Option max_seconds_option(Seconds& target) {
    return option(target, "max-seconds", "S", max_seconds_help()).must_be(allowed::above_0).default_is("none");
}

[[nodiscard]] Option positional(std::string& target, std::string name, std::string help);

// The items of a comma-separated list such as "age, sex, weight".
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

}  // namespace polyrx::cli
