// SPDX-License-Identifier: Apache-2.0
// JSON without its long texts, which stay where they lie: the trees of a forest take gigabytes, and a parser would copy
// them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

struct CutJson {
    std::string json;                     // with a short text for each that was cut out
    std::vector<std::string_view> texts;  // parts of the original, between their quotes and as they are written there
};

// Keys stay. What is no JSON before is none afterwards, but that a text which was cut out may be no JSON string.
[[nodiscard]] CutJson cut_long_texts(std::string_view json);

// The text itself, or what it stands for as it is written there; none if it stands for one that is not there.
[[nodiscard]] std::optional<std::string_view> whole_text(std::string_view text,
                                                         std::span<const std::string_view> texts);

// Writes what was cut, and dumped by the JSON library since, with its texts as that library would write them. Throws
// its parse_error if one is no JSON string.
void write_whole(std::string_view json, std::span<const std::string_view> texts,
                 const std::function<void(std::string_view)>& write);

}  // namespace polyrx
