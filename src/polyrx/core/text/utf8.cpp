// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polyrx {
namespace {

// The valid bytes at the start of the first character, and the character's full length; 0 if no character starts here.
struct CharacterBytes {
    std::size_t there = 0;
    std::size_t all = 0;
};

CharacterBytes character_bytes(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {1, 1};
    const std::size_t all = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (all == 0) return {};
    std::size_t there = 1;
    while (there < std::min(all, bytes.size()) && (byte(there) & 0xc0) == 0x80) ++there;
    if (there == 1) return {1, all};
    const unsigned second = byte(1);
    if (lead == 0xe0 && second < 0xa0) return {1, all};   // overlong
    if (lead == 0xed && second >= 0xa0) return {1, all};  // surrogate
    if (lead == 0xf0 && second < 0x90) return {1, all};   // overlong
    if (lead == 0xf4 && second >= 0x90) return {1, all};  // above U+10FFFF
    return {there, all};
}

// The length of the first character in bytes; 0 if it is invalid.
std::size_t character_length(std::string_view bytes) {
    const auto [there, all] = character_bytes(bytes);
    return there == all ? all : 0;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        std::uint64_t eight = 0;
        if (bytes.size() >= 8) {
            std::memcpy(&eight, bytes.data(), 8);
            if ((eight & 0x8080808080808080ULL) == 0) {
                bytes.remove_prefix(8);
                continue;
            }
        }
        const std::size_t length = character_length(bytes);
        if (length == 0) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

std::string valid_utf8(std::string_view bytes) {
    std::string valid;
    while (!bytes.empty()) {
        const auto [there, all] = character_bytes(bytes);
        if (there == all && all > 0)
            valid += bytes.substr(0, all);
        else
            valid += "\xef\xbf\xbd";
        bytes.remove_prefix(std::max<std::size_t>(there, 1));
    }
    return valid;
}

std::string without_controls(std::string_view text, LineEnds ends) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        if (ends == LineEnds::keep && (first == '\n' || first == '\t'))
            clean += character;
        else if (first == '\n')
            clean += "\\n";
        else if (first == '\r')
            clean += "\\r";
        else if (first == '\t')
            clean += "\\t";
        else if (length == 0 || first < 0x20 || first == 0x7f)
            clean += fmt::format("\\x{:02x}", first);
        else if (character >= "\xc2\x80" && character <= "\xc2\x9f")  // U+0080 to U+009F
            clean += fmt::format("\\x{:02x}", static_cast<unsigned char>(character[1]));
        else if (character >= "\xe2\x80\xaa" && character <= "\xe2\x80\xae")  // U+202A to U+202E
            clean += fmt::format("\\u20{:02x}", static_cast<unsigned char>(character[2]) - 0x80);
        else if (character == "\xe2\x81\xa6" || character == "\xe2\x81\xa7")  // U+2066, U+2067
            clean += fmt::format("\\u20{:02x}", static_cast<unsigned char>(character[2]) - 0x40);
        else
            clean += character;
        text.remove_prefix(character.size());
    }
    return clean;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string shown = "'";
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (shown.size() > longest) return shown + "...'";
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0)
            shown += '?';
        else if (first == '\n')
            shown += "\\n";
        else if (first == '\r')
            shown += "\\r";
        else if (first == '\t')
            shown += "\\t";
        else if (first < 0x20 || first == 0x7f)
            shown += fmt::format("\\x{:02x}", first);
        else
            shown += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown + "'";
}

}  // namespace polyrx
