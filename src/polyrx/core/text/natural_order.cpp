// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/natural_order.hpp"

#include <algorithm>
#include <cstddef>

#include "polyrx/core/text/parse_cell.hpp"

namespace polyrx {
namespace {

// Removes leading digits from the text and returns them without leading zeros.
std::string_view take_digits(std::string_view& text) {
    const auto length = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
    std::string_view rest_a = a;
    std::string_view rest_b = b;
    while (!rest_a.empty() && !rest_b.empty()) {
        if (is_digit(rest_a.front()) && is_digit(rest_b.front())) {
            const std::string_view digits_a = take_digits(rest_a);
            const std::string_view digits_b = take_digits(rest_b);
            if (digits_a.size() != digits_b.size()) return digits_a.size() < digits_b.size();
            if (digits_a != digits_b) return digits_a < digits_b;
            continue;
        }
        if (rest_a.front() != rest_b.front())
            return static_cast<unsigned char>(rest_a.front()) < static_cast<unsigned char>(rest_b.front());
        rest_a.remove_prefix(1);
        rest_b.remove_prefix(1);
    }
    if (rest_a.empty() != rest_b.empty()) return rest_a.empty();
    return a < b;
}

}  // namespace polyrx
