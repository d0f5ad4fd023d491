// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/json/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/plain_text.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

class JsonParser {
public:
    JsonParser(std::string_view text, const std::string& name, const JsonParsing& parsing)
        : text_(text), name_(name), parsing_(parsing) {}

    Json document() {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (text_.size() > most_json_bytes)
            throw data_error(fmt::format("{}: JSON of more than {} bytes is not read", name_, most_json_bytes));
        if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
        Json json = value(1);
        skip_spaces();
        if (at_ < text_.size()) fail("nothing more was expected");
        return json;
    }

private:
    // Shorter texts are always copied.
    static constexpr std::size_t long_text = 4096;

    [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    [[noreturn]] void fail(std::string_view what) const { fail(what, at_); }
    [[noreturn]] void fail(std::string_view what, std::size_t at) const {
        const std::string_view before = text_.substr(0, at);
        throw data_error(fmt::format("{}: line {}, column {}: not valid JSON: {}{}", name_,
                                     std::ranges::count(before, '\n') + 1, before.size() - (before.rfind('\n') + 1) + 1,
                                     what, at < text_.size() ? "" : ", but the text ends here"));
    }

    void skip_spaces() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
            ++at_;
    }

    bool take(std::string_view what) {
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }

    // `depth` is the depth of the value if it is an object or a list.
    Json value(int depth) {
        skip_spaces();
        if (depth <= parsing_.deepest_kept + 1 && ++values_ > most_json_values)
            throw data_error(fmt::format("{}: JSON of more than {} values is not read", name_, most_json_values));
        switch (next()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return text();
            case 't':
                if (take("true")) return true;
                break;
            case 'f':
                if (take("false")) return false;
                break;
            case 'n':
                if (take("null")) return nullptr;
                break;
            default:
                if (next() == '-' || is_digit(next())) return number();
        }
        fail("a value was expected");
    }

    void enter(int depth) {
        if (depth > deepest_json)
            throw data_error(fmt::format("{}: nested more than {} levels deep", name_, deepest_json));
        ++at_;
        skip_spaces();
    }

    // Whether another item follows the current one.
    bool goes_on(char closing, std::string_view expected) {
        skip_spaces();
        if (next() != ',' && next() != closing) fail(expected);
        return text_[at_++] == ',';
    }

    // Collects items on a shared stack until the list is complete, so that each list allocates only what it needs.
    Json array(int depth) {
        enter(depth);
        const std::size_t first = items_.size();
        if (next() == ']') {
            ++at_;
            return Json::array();
        }
        do {
            Json item = value(depth + 1);
            if (depth <= parsing_.deepest_kept) items_.push_back(std::move(item));
        } while (goes_on(']', "',' or ']' was expected"));
        if (depth > parsing_.deepest_kept) return nullptr;
        const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<Json> items(std::make_move_iterator(begin), std::make_move_iterator(items_.end()));
        items_.erase(begin, items_.end());
        return Json::array(std::move(items));
    }

    Json object(int depth) {
        enter(depth);
        const std::size_t first = members_.size();
        if (next() == '}') {
            ++at_;
            return Json::object();
        }
        do {
            skip_spaces();
            if (next() != '"') fail("the name of a member was expected, in double quotes");
            const Json member_name = text();
            skip_spaces();
            if (!take(":")) fail("':' was expected");
            Json member = value(depth + 1);
            if (depth <= parsing_.deepest_kept)
                members_.push_back({std::string(member_name.text()), std::move(member)});
        } while (goes_on('}', "',' or '}' was expected"));
        if (depth > parsing_.deepest_kept) return nullptr;
        const auto begin = members_.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<JsonMember> members(std::make_move_iterator(begin), std::make_move_iterator(members_.end()));
        members_.erase(begin, members_.end());
        expect_distinct(members);
        return Json::object(std::move(members));
    }

    void expect_distinct(const std::vector<JsonMember>& members) const {
        constexpr std::size_t few = 16;
        const auto fail_twice = [&](std::string_view twice) {
            throw data_error(
                fmt::format("{}: the member {} stands there twice in one object", name_, in_quotes(twice)));
        };
        if (members.size() <= few) {
            for (auto member = members.begin(); member != members.end(); ++member)
                if (std::find_if(members.begin(), member,
                                 [&](const JsonMember& other) { return other.name == member->name; }) != member)
                    fail_twice(member->name);
            return;
        }
        std::vector<std::string_view> names;
        names.reserve(members.size());
        for (const JsonMember& member : members) names.emplace_back(member.name);
        std::ranges::sort(names);
        if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) fail_twice(*twice);
    }

    Json number() {
        const std::size_t begin = at_;
        const auto digits = [&] {
            if (!is_digit(next())) fail("a digit was expected");
            while (is_digit(next())) ++at_;
        };
        const bool is_negative = take("-");
        if (!take("0")) digits();
        bool is_whole = true;
        if (take(".")) {
            is_whole = false;
            digits();
        }
        if (next() == 'e' || next() == 'E') {
            is_whole = false;
            ++at_;
            if (next() == '+' || next() == '-') ++at_;
            digits();
        }
        const std::string_view written = text_.substr(begin, at_ - begin);
        if (is_whole && is_negative) {
            if (const auto whole = converted<std::int64_t>(written)) return *whole;
        } else if (is_whole) {
            if (const auto whole = converted<std::uint64_t>(written)) return *whole;
        }
        if (const auto number = converted<double>(written)) return *number;
        const double number = parse_number(written).value_or(0);  // overflow or underflow
        if (!std::isfinite(number)) fail("this number is too large", begin);
        return number;
    }

    template <class Number>
    static std::optional<Number> converted(std::string_view digits) {
        Number number{};
        const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
        return fits ? std::optional(number) : std::nullopt;
    }

    Json text() {
        const std::size_t begin = ++at_;
        std::string unescaped;
        std::size_t done = begin;
        for (;; ++at_) {
            at_ += plain_length(text_.substr(at_));
            const auto c = static_cast<unsigned char>(next());
            if (at_ >= text_.size()) fail("'\"' was expected");
            if (c < 0x20) fail("a control character was found in a text");
            expect_utf8(done);
            if (c == '"') break;
            unescaped += text_.substr(done, at_ - done);
            escape(unescaped);
            done = at_ + 1;
        }
        const std::string_view last = text_.substr(done, at_ - done);
        ++at_;
        if (done > begin) return unescaped += last;
        if (parsing_.borrow_long_texts && last.size() >= long_text) return Json::borrowed(last);
        return last;
    }

    // Checks the text from `begin` to the current position.
    void expect_utf8(std::size_t begin) const {
        const std::string_view bytes = text_.substr(begin, at_ - begin);
        if (is_utf8(bytes)) return;
        const std::string valid = valid_utf8(bytes);
        const auto [wrong, _] = std::ranges::mismatch(bytes, valid);
        fail("the text is not UTF-8", static_cast<std::size_t>(wrong - text_.begin()));
    }

    // Stops at the last character of the escape.
    void escape(std::string& text) {
        ++at_;
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (const std::size_t letter = letters.find(next()); letter != std::string_view::npos && at_ < text_.size()) {
            text += meanings[letter];
            return;
        }
        if (next() != 'u') fail("an escape was expected: one of \"\\/bfnrtu");
        const std::size_t begin = at_ - 1;
        std::uint32_t code = four_digits();
        if (code >= 0xd800 && code < 0xdc00) {
            ++at_;
            if (!take("\\") || next() != 'u') fail("the other half of a surrogate pair was expected");
            const std::uint32_t low = four_digits();
            if (low < 0xdc00 || low >= 0xe000) fail("the other half of a surrogate pair was expected", begin);
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else if (code >= 0xdc00 && code < 0xe000) {
            fail("this is the second half of a surrogate pair", begin);
        }
        append_utf8(text, code);
    }

    // Reads the digits of a \u escape from its u on. Stops at the last digit.
    std::uint32_t four_digits() {
        std::uint32_t code = 0;
        for (int digit = 0; digit < 4; ++digit) {
            ++at_;
            const char c = next();
            const char lower = static_cast<char>(c | 0x20);
            if (is_digit(c))
                code = 16 * code + static_cast<std::uint32_t>(c - '0');
            else if (lower >= 'a' && lower <= 'f')
                code = 16 * code + static_cast<std::uint32_t>(lower - 'a' + 10);
            else
                fail("four hexadecimal digits were expected");
        }
        return code;
    }

    static void append_utf8(std::string& text, std::uint32_t code) {
        const auto trail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | (code >> 6));
            trail(0);
        } else if (code < 0x10000) {
            text += static_cast<char>(0xe0 | (code >> 12));
            trail(6);
            trail(0);
        } else {
            text += static_cast<char>(0xf0 | (code >> 18));
            trail(12);
            trail(6);
            trail(0);
        }
    }

    std::string_view text_;
    const std::string& name_;
    JsonParsing parsing_;
    std::size_t at_ = 0;
    std::size_t values_ = 0;
    std::vector<Json> items_;
    std::vector<JsonMember> members_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& name, const JsonParsing& parsing) {
    return JsonParser(text, name, parsing).document();
}

}  // namespace polyrx
