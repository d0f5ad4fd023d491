// SPDX-License-Identifier: Apache-2.0
// Converts option values from and to text, for the command line and model files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyrx {

// Parses a value. Throws a usage error with the option's name `shown` ("--seed"), the text and the expected values.
void read_option(std::string_view shown, std::string_view text, std::string_view expected, int& value);
void read_option(std::string_view shown, std::string_view text, std::string_view expected, std::uint64_t& value);
void read_option(std::string_view shown, std::string_view text, std::string_view expected, double& value);
void read_option(std::string_view shown, std::string_view text, std::string_view expected, bool& value);  // yes, no
// Hidden layer widths: "100,50", "5x100" or "none".
void read_option(std::string_view shown, std::string_view text, std::string_view expected, std::vector<int>& value);
template <class T>
void read_option(std::string_view shown, std::string_view text, std::string_view expected, std::optional<T>& value) {
    T present{};
    read_option(shown, text, expected, present);
    value = std::move(present);
}

// Throw usage errors: "--mu: '2' is not a number from 0 to 1", "--shrink: 'all' is not one of weights, weights+biases",
// and for a number that does not come from text, "mu is 2; expected a number from 0 to 1".
[[noreturn]] void refuse_option(std::string_view shown, std::string_view text, std::string_view expected);
[[noreturn]] void refuse_choice(std::string_view shown, std::string_view text, const std::vector<std::string>& choices);
[[noreturn]] void refuse_number(std::string_view name, double number, std::string_view expected);

// Text that read_option() reads as exactly the same value.
[[nodiscard]] std::string option_text(int value);
[[nodiscard]] std::string option_text(std::uint64_t value);
[[nodiscard]] std::string option_text(double value);
[[nodiscard]] std::string option_text(bool value);
[[nodiscard]] std::string option_text(const std::vector<int>& value);
template <class T>
[[nodiscard]] std::string option_text(const std::optional<T>& value) {
    return value ? option_text(*value) : std::string();
}

}  // namespace polyrx
