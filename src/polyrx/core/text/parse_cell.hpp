// SPDX-License-Identifier: Apache-2.0
// What the text of one cell means: a number, a truth value, or nothing.
#pragma once

#include <optional>
#include <string_view>

namespace polyrx {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Without the spaces and tabs around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// The whole text as a decimal number, with an optional sign; inf and infinity in any case. Too large is infinite, too
// small is 0, as strtod has it. Nothing else that begins with a letter is a number; nan is not.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// nan in any case, perhaps signed: what other programs write for a number that is missing.
[[nodiscard]] bool is_nan_word(std::string_view text);

// Pairs of words for a truth value, in any case.
enum class TruthWords { true_false, yes_no, one_zero };

struct Truth {
    bool value;
    TruthWords words;
};

[[nodiscard]] std::optional<Truth> parse_truth(std::string_view text);

}  // namespace polyrx
