// SPDX-License-Identifier: Apache-2.0
// Reads the XML that we write, and nothing that is not well-formed: enough to check a picture.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/text/utf8.hpp"

namespace polyrx::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // as it stands there, directly inside
    std::size_t parent = 0;
};

// Elements in the order of their beginnings, or why the text is not well-formed.
struct TinyXml {
    std::vector<XmlElement> elements;
    std::string trouble;

    explicit TinyXml(std::string_view text) : rest_(text) {
        if (!is_utf8(text)) fail("not UTF-8");
        for (const char c : text)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("a control character");
        while (trouble.empty() && !rest_.empty()) rest_.front() == '<' ? tag() : content();
        if (trouble.empty() && !open_.empty()) fail("elements left open");
        if (trouble.empty() && elements.empty()) fail("no element");
    }

private:
    void fail(const std::string& why) {
        if (trouble.empty()) trouble = why + " before: " + std::string(rest_.substr(0, 60));
    }

    void check_references(std::string_view text) {
        for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
            bool known = false;
            for (const char* name : {"&amp;", "&lt;", "&gt;", "&quot;"})
                known = known || text.substr(at).starts_with(name);
            if (!known) fail("a stray ampersand");
        }
    }

    void content() {
        const std::string_view text = rest_.substr(0, rest_.find('<'));
        check_references(text);
        if (!open_.empty())
            elements[open_.back()].text += text;
        else if (text.find_first_not_of('\n') != std::string_view::npos || elements.empty())
            fail("text outside of the root");
        rest_.remove_prefix(text.size());
    }

    void tag() {
        const bool closes = rest_.starts_with("</");
        rest_.remove_prefix(closes ? 2 : 1);
        const std::string name(take_name());
        if (name.empty()) return fail("a tag without a name");
        if (closes) {
            if (open_.empty() || elements[open_.back()].name != name)
                return fail("</" + name + "> that does not match");
            open_.pop_back();
            return expect(">");
        }
        if (open_.empty() && !elements.empty()) return fail("a second root");
        elements.push_back({name, {}, "", open_.empty() ? 0 : open_.back()});
        while (trouble.empty() && rest_.starts_with(" ")) attribute();
        if (rest_.starts_with("/>")) return expect("/>");
        open_.push_back(elements.size() - 1);
        expect(">");
    }

    void attribute() {
        expect(" ");
        const std::string name(take_name());
        expect("=\"");
        const std::string_view value = rest_.substr(0, rest_.find('"'));
        if (name.empty() || value.find('<') != std::string_view::npos) fail("a bad attribute");
        check_references(value);
        rest_.remove_prefix(value.size());
        expect("\"");
        if (!elements.back().attributes.emplace(name, value).second) fail("an attribute twice");
    }

    std::string_view take_name() {
        const std::string_view name = rest_.substr(
            0, rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:"));
        rest_.remove_prefix(name.size());
        return name;
    }

    void expect(std::string_view what) {
        if (rest_.starts_with(what))
            rest_.remove_prefix(what.size());
        else
            fail("expected " + std::string(what));
    }

    std::string_view rest_;
    std::vector<std::size_t> open_;
};

}  // namespace polyrx::test
