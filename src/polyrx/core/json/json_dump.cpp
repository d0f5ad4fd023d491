// SPDX-License-Identifier: Apache-2.0
// Writes JSON text. This is the only file that includes the JSON library. The library's format of numbers must not
// change, because checksums of model files depend on it.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/json/plain_text.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

class JsonWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    // Keeps the whole text if there is no sink.
    JsonWriter(std::optional<int> indent, InvalidUtf8 invalid, const Sink* sink)
        : indent_(indent), invalid_(invalid), sink_(sink) {}

    void value(const Json& json, int depth) {
        if (json.is_object())
            list('{', '}', json.members(), depth, [&](const JsonMember& member) {
                text(member.name);
                put(indent_ ? ": " : ":");
                value(member.value, depth + 1);
            });
        else if (json.is_array())
            list('[', ']', json.items(), depth, [&](const Json& item) { value(item, depth + 1); });
        else if (json.is_text())
            text(json.text());
        else if (json.is_number())
            number(json);
        else
            put(json.is_null() ? "null" : json.truth() ? "true" : "false");
    }

    void text(std::string_view text) {
        if (!is_utf8(text)) {
            if (invalid_ == InvalidUtf8::refuse)
                throw data_error(fmt::format("{} is not UTF-8, so it cannot be written as JSON", in_quotes(text)));
            put("\"");
            escaped(valid_utf8(text));
        } else {
            put("\"");
            escaped(text);
        }
        put("\"");
    }

    void flush() {
        if (sink_ && !out_.empty()) (*sink_)(out_);
        if (sink_) out_.clear();
    }

    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    static constexpr std::size_t piece = std::size_t{1} << 16;

    void put(std::string_view bytes) {
        if (sink_ && out_.size() + bytes.size() > piece) flush();
        if (sink_ && bytes.size() > piece)
            (*sink_)(bytes);  // passes long texts on without a copy
        else
            out_ += bytes;
    }

    template <class Items, class WriteItem>
    void list(char opening, char closing, const Items& items, int depth, const WriteItem& write_item) {
        put({&opening, 1});
        bool is_first = true;
        for (const auto& item : items) {
            if (!is_first) put(",");
            is_first = false;
            new_line(depth + 1);
            write_item(item);
        }
        if (!is_first) new_line(depth);
        put({&closing, 1});
    }

    void new_line(int depth) {
        if (indent_) put("\n" + std::string(static_cast<std::size_t>(depth * *indent_), ' '));
    }

    void number(const Json& json) {
        std::array<char, 64> digits{};
        char* end = digits.data();
        if (const auto positive = json.whole<std::uint64_t>())
            end = std::to_chars(end, end + digits.size(), *positive).ptr;
        else if (const auto negative = json.whole<std::int64_t>())
            end = std::to_chars(end, end + digits.size(), *negative).ptr;
        else if (!std::isfinite(json.number()))
            return put("null");
        else
            end = nlohmann::detail::to_chars(end, end + digits.size(), json.number());
        put({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }

    void escaped(std::string_view text) {
        for (;;) {
            const std::size_t plain = plain_length(text);
            put(text.substr(0, plain));
            if (plain == text.size()) return;
            const char c = text[plain];
            text.remove_prefix(plain + 1);
            constexpr std::string_view special = "\"\\\b\f\n\r\t";
            constexpr std::string_view letters = "\"\\bfnrt";
            if (const std::size_t at = special.find(c); at != std::string_view::npos)
                put({std::array{'\\', letters[at]}.data(), 2});
            else
                put(fmt::format("\\u{:04x}", static_cast<unsigned char>(c)));
        }
    }

    std::optional<int> indent_;
    InvalidUtf8 invalid_;
    const Sink* sink_;
    std::string out_;
};

}  // namespace

std::string Json::dump(std::optional<int> indent, InvalidUtf8 invalid) const {
    JsonWriter writer(indent, invalid, nullptr);
    writer.value(*this, 0);
    return writer.take();
}

void Json::write(const std::function<void(std::string_view)>& sink) const {
    JsonWriter writer({}, InvalidUtf8::refuse, &sink);
    writer.value(*this, 0);
    writer.flush();
}

std::string json_text(std::string_view text) {
    JsonWriter writer({}, InvalidUtf8::refuse, nullptr);
    writer.text(text);
    return writer.take();
}

}  // namespace polyrx
