// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/treatment_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/lexer.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

std::size_t behind_spaces(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t", at), text.size());
}

bool is_end(std::string_view text, std::size_t at) {
    return at == text.size() || text[at] == '#';
}

// Reads the label at `at`, and moves `at` to the next comma or the end.
std::string read_label(const Line& line, std::size_t& at) {
    const std::string_view text = line.text;
    if (quotes.find(text[at]) != std::string_view::npos) {
        std::string label = read_quoted(line, at);
        at = behind_spaces(text, at);
        if (!is_end(text, at) && text[at] != ',') line.fail(at, "',' was expected after a treatment in quotes");
        return label;
    }
    const std::size_t begin = at;
    for (; !is_end(text, at) && text[at] != ','; at += first_character(text.substr(at)).length)
        if (is_control(first_character(text.substr(at)).code))
            line.fail(at, "there may be no control character in a treatment");
    return std::string(trimmed(text.substr(begin, at - begin)));
}

}  // namespace

TreatmentList read_treatments(const Line& line, std::size_t at) {
    constexpr std::size_t length_of_not = 3;
    const std::string_view text = line.text;
    TreatmentList list;
    std::size_t after = at;  // position for errors about a missing treatment
    std::string_view behind = "then";
    at = behind_spaces(text, at);
    if (begins_with_not(text.substr(at))) {
        list.exclude = true;
        after = at + length_of_not;
        behind = "not";
        at = behind_spaces(text, after);
    }
    std::set<std::string> seen;
    for (;;) {
        if (is_end(text, at) || text[at] == ',')
            line.fail(after, fmt::format("a treatment is missing after '{}'", behind));
        if (begins_with_not(text.substr(at)))
            line.fail(at,
                      "'not' stands once, after 'then', and is for all (a treatment that begins with it is quoted)");
        const std::size_t begin = at;
        list.labels.push_back(read_label(line, at));
        list.columns.push_back(characters(text.substr(0, begin)) + 1);
        if (!seen.insert(list.labels.back()).second)
            line.fail(begin, fmt::format("the treatment {} stands there twice", in_quotes(list.labels.back())));
        if (is_end(text, at)) return list;
        after = ++at;
        behind = ",";
        at = behind_spaces(text, at);
    }
}

}  // namespace polyrx
