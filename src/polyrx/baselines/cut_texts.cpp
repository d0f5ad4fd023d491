// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/cut_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace polyrx {
namespace {

using Json = nlohmann::json;

constexpr std::size_t long_text = 4096;

// A text that begins with a NUL, for which JSON has no other spelling, stands for another: the number of which follows.
// One that begins so by itself is cut out as well.
constexpr std::string_view mark_as_written = "\\u0000";
constexpr char mark = '\0';

// The number of the text that this one stands for, without its mark.
std::size_t number_of(std::string_view digits) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? number : std::string_view::npos;
}

// Calls act(text) for each string of the JSON that is no key, with what is between its quotes.
template <class Act>
void for_each_text(std::string_view json, const Act& act) {
    for (std::size_t open = json.find('"'); open != std::string_view::npos;) {
        std::size_t close = open;
        bool is_escaped = false;
        do {
            close = json.find('"', close + 1);
            if (close == std::string_view::npos) return;
            const std::size_t before = json.find_last_not_of('\\', close - 1);
            is_escaped = (close - before) % 2 == 0;
        } while (is_escaped);
        const std::size_t next = json.find_first_not_of(" \t\r\n", close + 1);
        const bool is_key = next != std::string_view::npos && json[next] == ':';
        if (!is_key) act(json.substr(open + 1, close - open - 1));
        open = json.find('"', close + 1);
    }
}

bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f' && c != '\\'; });
}

}  // namespace

CutJson cut_long_texts(std::string_view json) {
    CutJson cut;
    const char* done = json.data();
    for_each_text(json, [&](std::string_view text) {
        if (text.size() < long_text && !text.starts_with(mark_as_written)) return;
        cut.json.append(done, text.data());
        cut.json += fmt::format("{}{}", mark_as_written, cut.texts.size());
        cut.texts.push_back(text);
        done = text.data() + text.size();
    });
    cut.json.append(done, json.data() + json.size());
    return cut;
}

std::optional<std::string_view> whole_text(std::string_view text, std::span<const std::string_view> texts) {
    if (!text.starts_with(mark)) return text;
    const std::size_t number = number_of(text.substr(1));
    return number < texts.size() ? std::optional(texts[number]) : std::nullopt;
}

void write_whole(std::string_view json, std::span<const std::string_view> texts,
                 const std::function<void(std::string_view)>& write) {
    const char* done = json.data();
    for_each_text(json, [&](std::string_view text) {
        if (!text.starts_with(mark_as_written)) return;
        write({done, text.data()});
        const std::string_view whole = texts[number_of(text.substr(mark_as_written.size()))];
        if (is_plain(whole)) {
            write(whole);
        } else {
            const std::string written = Json::parse(fmt::format("\"{}\"", whole)).dump();
            write(std::string_view(written).substr(1, written.size() - 2));
        }
        done = text.data() + text.size();
    });
    write({done, json.data() + json.size()});
}

}  // namespace polyrx
