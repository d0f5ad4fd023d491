// SPDX-License-Identifier: Apache-2.0
// The readers of rules on arbitrary bytes: an error at a place of the text, or rules that survive being written.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::optional<polyrx::Rules> rules;
    try {
        rules = polyrx::parse_rules_file(bytes, "rules");
    } catch (const polyrx::TextError& e) {
        if (!polyrx::is_utf8(e.what()) || e.line() < 1 || e.column() < 1) std::abort();
        if (e.line() > 1 + std::ranges::count(bytes, '\n')) std::abort();
        if (std::ranges::count(std::string_view(e.what()), '\n') != 2) std::abort();
        return 0;
    } catch (const polyrx::Error& e) {
        const std::string_view sentence = e.what();
        if (e.kind() != polyrx::ErrorKind::data || !polyrx::is_utf8(sentence)) std::abort();
        if (sentence.find('\n') != std::string_view::npos) std::abort();
        return 0;
    }
    const std::string text = polyrx::to_text(*rules);
    const polyrx::Rules read = polyrx::parse_rules(text, "written.txt");
    if (read != *rules || polyrx::to_text(read) != text) std::abort();
    if (polyrx::parse_rules_json(polyrx::to_json(*rules), "written.json") != *rules) std::abort();
    return 0;
}
