// SPDX-License-Identifier: Apache-2.0
// Parses the text of a cell as a number or truth value.
#pragma once

#include <optional>
#include <string_view>

namespace polyrx {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Removes leading and trailing spaces and tabs.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// Parses the whole text as a decimal number with optional sign, or inf or infinity in any case. Overflow gives infinity
// and underflow 0, like strtod. No other words are numbers, and nan is not.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// True for nan in any case, with optional sign: how other programs write a missing number.
[[nodiscard]] bool is_nan_word(std::string_view text);

// Pairs of words for truth values, in any case.
enum class TruthWords { true_false, yes_no, one_zero };

struct Truth {
    bool value;
    TruthWords words;
};

[[nodiscard]] std::optional<Truth> parse_truth(std::string_view text);

}  // namespace polyrx
