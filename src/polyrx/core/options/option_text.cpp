// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/options/option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <ranges>
#include <type_traits>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr int widest_layer = 100'000;
constexpr std::size_t most_layers = 100;

template <class T>
T parse_number(std::string_view shown, std::string_view text, std::string_view expected) {
    T value{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error == std::errc::result_out_of_range && end == last) {
        if constexpr (!std::is_integral_v<T>) throw usage_error(fmt::format("{}: '{}' is out of range", shown, text));
        throw usage_error(text.starts_with('-') ? fmt::format("{}: '{}' is too small", shown, text)
                                                : fmt::format("{}: '{}' is too large; the largest is {}", shown, text,
                                                              std::numeric_limits<T>::max()));
    }
    if (error != std::errc() || end != last || text.empty()) refuse_option(shown, text, expected);
    return value;
}

// The whole number in the text, or the largest int if it is larger; 0 for other text.
int whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.starts_with('-')) return 0;
    return error == std::errc::result_out_of_range ? std::numeric_limits<int>::max() : number;
}

std::string_view without_spaces(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

std::string_view or_else(std::string_view expected, std::string_view otherwise) {
    return expected.empty() ? otherwise : expected;
}

}  // namespace

void read_option(std::string_view shown, std::string_view text, std::string_view expected, int& value) {
    value = parse_number<int>(shown, text, or_else(expected, "a whole number"));
}

void read_option(std::string_view shown, std::string_view text, std::string_view expected, std::uint64_t& value) {
    value = parse_number<std::uint64_t>(shown, text, or_else(expected, "a whole number of 0 or more"));
}

void read_option(std::string_view shown, std::string_view text, std::string_view expected, double& value) {
    value = parse_number<double>(shown, text, or_else(expected, "a number"));
    if (!std::isfinite(value)) throw usage_error(fmt::format("{}: '{}' is not a finite number", shown, text));
}

void read_option(std::string_view shown, std::string_view text, std::string_view expected, bool& value) {
    if (text != "yes" && text != "no") refuse_option(shown, text, or_else(expected, "yes or no"));
    value = text == "yes";
}

void read_option(std::string_view shown, std::string_view text, std::string_view, std::vector<int>& value) {
    value.clear();
    if (text == "none") return;
    for (const auto range : std::views::split(text, ',')) {
        const std::string_view part = without_spaces({range.begin(), range.end()});
        const std::size_t x = part.find('x');
        const int times = x == std::string_view::npos ? 1 : whole_number(part.substr(0, x));
        const int width = whole_number(x == std::string_view::npos ? part : part.substr(x + 1));
        if (times < 1 || width < 1)
            throw usage_error(fmt::format("{}: '{}' is not a layer; expected 100,50 or 5x100 or none", shown, part));
        if (width > widest_layer)
            throw usage_error(
                fmt::format("{}: '{}' is too wide; a layer has at most {} neurons", shown, part, widest_layer));
        if (static_cast<std::size_t>(times) > most_layers ||
            value.size() + static_cast<std::size_t>(times) > most_layers)
            throw usage_error(
                fmt::format("{}: '{}' is too deep; a network has at most {} hidden layers", shown, text, most_layers));
        value.insert(value.end(), static_cast<std::size_t>(times), width);
    }
    if (value.empty())
        throw usage_error(fmt::format("{}: '{}' is not a layer; expected 100,50 or 5x100 or none", shown, text));
}

void refuse_option(std::string_view shown, std::string_view text, std::string_view expected) {
    throw usage_error(fmt::format("{}: '{}' is not {}", shown, text, expected));
}

void refuse_choice(std::string_view shown, std::string_view text, const std::vector<std::string>& choices) {
    throw usage_error(fmt::format("{}: '{}' is not one of {}", shown, text, fmt::join(choices, ", ")));
}

void refuse_number(std::string_view name, double number, std::string_view expected) {
    throw usage_error(fmt::format("{} is {}; expected {}", name, number, expected));
}

std::string option_text(int value) {
    return fmt::format("{}", value);
}

std::string option_text(std::uint64_t value) {
    return fmt::format("{}", value);
}

std::string option_text(double value) {
    return fmt::format("{}", value);
}

std::string option_text(bool value) {
    return value ? "yes" : "no";
}

std::string option_text(const std::vector<int>& value) {
    return value.empty() ? "none" : fmt::format("{}", fmt::join(value, ","));
}

}  // namespace polyrx
