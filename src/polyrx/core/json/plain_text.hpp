// SPDX-License-Identifier: Apache-2.0
// Finds text that JSON needs no escapes for. Reads eight bytes at a time, because the trees of a forest have gigabytes
// of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace polyrx {

// The number of bytes before the first control character, quote or backslash.
[[nodiscard]] inline std::size_t plain_length(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t high_bits = 0x80 * ones;
    const auto some_below = [](std::uint64_t bytes, std::uint64_t least) {
        return (bytes - least * ones) & ~bytes & high_bits;
    };
    const auto some_equal = [&](std::uint64_t bytes, char wanted) {
        return some_below(bytes ^ (static_cast<unsigned char>(wanted) * ones), 1);
    };
    std::size_t length = 0;
    for (; length + 8 <= text.size(); length += 8) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + length, 8);
        if ((some_below(bytes, 0x20) | some_equal(bytes, '"') | some_equal(bytes, '\\')) != 0) break;
    }
    while (length < text.size() && static_cast<unsigned char>(text[length]) >= 0x20 && text[length] != '"' &&
           text[length] != '\\')
        ++length;
    return length;
}

}  // namespace polyrx
