// SPDX-License-Identifier: Apache-2.0
#include "option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx::cli {
namespace {

template <class T>
T parse_number(const std::string& flag, const std::string& text, const char* expected) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
        if constexpr (!std::is_integral_v<T>)
            throw usage_error(fmt::format("{}: '{}' is beyond the numbers there are", flag, text));
        throw usage_error(text.starts_with('-') ? fmt::format("{}: '{}' is too small", flag, text)
                                                : fmt::format("{}: '{}' is too large; the largest is {}", flag, text,
                                                              std::numeric_limits<T>::max()));
    }
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw usage_error(fmt::format("{}: '{}' is not {}", flag, text, expected));
    return value;
}

}  // namespace

Option&& Option::letter_is(char c) && {
    letter = c;
    return std::move(*this);
}

Option&& Option::must_be_given() && {
    required = true;
    return std::move(*this);
}

Option&& Option::completes(Complete kind) && {
    complete = kind;
    return std::move(*this);
}

Option&& Option::one_of(std::vector<std::string> values) && {
    choices = std::move(values);
    assign = [plain = std::move(assign), values = choices,
              shown = is_positional ? name : "--" + name](const std::string& text) {
        if (std::find(values.begin(), values.end(), text) == values.end())
            throw usage_error(fmt::format("{}: '{}' is not one of {}", shown, text, fmt::join(values, ", ")));
        plain(text);
    };
    return std::move(*this);
}

Option&& Option::default_is(std::string text) && {
    default_text = std::move(text);
    return std::move(*this);
}

Option&& Option::must_be(std::string expected, std::function<bool(double)> fits) && {
    assign = [plain = std::move(assign), expected = std::move(expected), fits = std::move(fits),
              shown = "--" + name](const std::string& text) {
        plain(text);
        if (!fits(parse_number<double>(shown, text, "a number")))
            throw usage_error(fmt::format("{}: '{}' is not {}", shown, text, expected));
    };
    return std::move(*this);
}

void parse_value(const std::string& flag, const std::string& text, std::string& target) {
    if (text.empty()) throw usage_error(fmt::format("{}: the value is empty", flag));
    target = text;
}

void parse_value(const std::string& flag, const std::string& text, int& target) {
    target = parse_number<int>(flag, text, "a whole number");
}

void parse_value(const std::string& flag, const std::string& text, std::uint64_t& target) {
    target = parse_number<std::uint64_t>(flag, text, "a whole number of 0 or more");
}

void parse_value(const std::string& flag, const std::string& text, double& target) {
    target = parse_number<double>(flag, text, "a number");
    if (!std::isfinite(target)) throw usage_error(fmt::format("{}: '{}' is not a finite number", flag, text));
}

void parse_value(const std::string& flag, const std::string& text, std::vector<std::string>& target) {
    if (text.empty()) throw usage_error(fmt::format("{}: the list is empty", flag));
    for (std::string& part : split_list(text)) {
        if (part.empty()) throw usage_error(fmt::format("{}: '{}' has an empty part between its commas", flag, text));
        if (!is_utf8(part)) throw usage_error(fmt::format("{}: {} is not valid UTF-8", flag, in_quotes(part)));
        target.push_back(std::move(part));
    }
}

std::string default_text(const std::string& value) {
    return value;
}

std::string default_text(int value) {
    return fmt::format("{}", value);
}

std::string default_text(std::uint64_t value) {
    return fmt::format("{}", value);
}

std::string default_text(double value) {
    return fmt::format("{}", value);
}

std::string default_text(const std::vector<std::string>& value) {
    return fmt::format("{}", fmt::join(value, ","));
}

Option flag(bool& target, std::string name, std::string help) {
    Option option;
    option.name = std::move(name);
    option.help = std::move(help);
    option.assign = [&target](const std::string&) { target = true; };
    return option;
}

Option threads_option(int& target) {
    return option(target, "threads", "N", "threads to use, which change no byte; 0 is one per core")
        .must_be("a whole number of 0 or more", [](double threads) { return threads >= 0; });
}

Option positional(std::string& target, std::string name, std::string help) {
    Option option;
    option.assign = [&target, name](const std::string& text) { parse_value(name, text, target); };
    option.name = std::move(name);
    option.help = std::move(help);
    option.required = true;
    option.is_positional = true;
    return option;
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        parts.emplace_back(part);
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace polyrx::cli
