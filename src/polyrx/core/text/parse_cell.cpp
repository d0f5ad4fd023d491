// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/parse_cell.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace polyrx {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t';
}

// Case-insensitive; `word` must be lowercase.
bool is_word(std::string_view text, std::string_view word) {
    return std::ranges::equal(text, word, [](char t, char w) { return (t >= 'A' && t <= 'Z' ? t + 32 : t) == w; });
}

// For a number out of the range of double: true if it is too large, false if too small.
bool is_large(std::string_view digits) {
    const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
    const std::string_view mantissa = digits.substr(0, exponent_at);
    long exponent = 0;
    if (exponent_at < digits.size()) {
        std::string_view text = digits.substr(exponent_at + 1);
        const bool negative = text.starts_with('-');
        if (negative || text.starts_with('+')) text.remove_prefix(1);
        if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc{})
            return !negative;  // the exponent overflows a long
        if (negative) exponent = -exponent;
    }
    const auto point = static_cast<long>(std::min(mantissa.find('.'), mantissa.size()));
    const auto first = static_cast<long>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
    return exponent > first - point;  // d.ddd has power 0; values near 0 never get here
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::optional<double> parse_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    double value = 0;
    if (is_digit(text.front()) || text.front() == '.') {
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
        if (error == std::errc::result_out_of_range)
            value = is_large(text) ? std::numeric_limits<double>::infinity() : 0.0;
    } else if (is_word(text, "inf") || is_word(text, "infinity")) {
        value = std::numeric_limits<double>::infinity();
    } else {
        return std::nullopt;
    }
    return negative ? -value : value;
}

bool is_nan_word(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return is_word(text, "nan");
}

std::optional<Truth> parse_truth(std::string_view text) {
    if (is_word(text, "true")) return Truth{true, TruthWords::true_false};
    if (is_word(text, "false")) return Truth{false, TruthWords::true_false};
    if (is_word(text, "yes")) return Truth{true, TruthWords::yes_no};
    if (is_word(text, "no")) return Truth{false, TruthWords::yes_no};
    if (text == "1") return Truth{true, TruthWords::one_zero};
    if (text == "0") return Truth{false, TruthWords::one_zero};
    return std::nullopt;
}

}  // namespace polyrx
