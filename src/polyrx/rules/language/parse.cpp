// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/parse.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/lexer.hpp"
#include "polyrx/rules/language/treatment_list.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

using TokenKind = Token::Kind;

// Reads the text after `if`.
Rule read_rule(Lexer& lexer) {
    lexer.advance();
    Rule rule;
    rule.line = lexer.line().number;
    rule.condition = read_condition(lexer);
    const Token& then = lexer.current();
    TreatmentList list = read_treatments(lexer.line(), then.at + then.source.size());
    rule.exclude = list.exclude;
    rule.treatments = std::move(list.labels);
    rule.treatment_columns = std::move(list.columns);
    return rule;
}

// Reads the text after `let`. `lines` has the lines of earlier ones.
Let read_let(Lexer& lexer, std::map<std::string, int>& lines) {
    lexer.advance();
    const Token name = lexer.current();
    const auto taken = [&](std::string_view what) {
        lexer.fail_here(fmt::format("{} is {}: a derived feature needs another name, or quotes around it",
                                    in_quotes(name.source), what));
    };
    if (is_keyword(name.source)) taken("a word of the language");
    if (name.kind == TokenKind::name && function_named(name.name)) taken("a function");
    if (name.kind != TokenKind::name && name.kind != TokenKind::quoted)
        lexer.fail_here("a name is missing after 'let': a derived feature is written as let NAME = FORMULA");
    if (const auto [first, is_new] = lines.emplace(name.name, lexer.line().number); !is_new)
        lexer.fail_here(
            fmt::format("there is a derived feature {} already, on line {}", in_quotes(name.name), first->second));
    lexer.advance();
    if (lexer.current().source != "=")
        lexer.fail_here(fmt::format("'=' is missing after {}: a derived feature is written as let NAME = FORMULA",
                                    in_quotes(name.source)));
    lexer.advance();
    return {name.name, read_formula(lexer), lexer.line().number};
}

}  // namespace

Rules parse_rules(std::string_view text, std::string_view file_name) {
    Rules rules;
    std::map<std::string, int> lets;
    for (const Line& line : lines_of(text, file_name)) {
        rules.lines.emplace_back(line.text);
        Lexer lexer(line);
        if (lexer.is(TokenKind::end)) continue;
        if (lexer.is(TokenKind::if_))
            rules.rules.push_back(read_rule(lexer));
        else if (lexer.is(TokenKind::let))
            rules.lets.push_back(read_let(lexer, lets));
        else if (lexer.is(TokenKind::then))
            lexer.fail_here("'if' and a condition are missing before 'then'");
        else
            lexer.fail_here("a line begins with 'if' (a rule), 'let' (a derived feature) or '#' (a comment)");
    }
    return rules;
}

Formula parse_formula(std::string_view text, std::string_view file_name) {
    std::optional<Formula> formula;
    for (const Line& line : lines_of(text, file_name)) {
        Lexer lexer(line);
        if (lexer.is(TokenKind::end)) continue;
        if (formula) lexer.fail_here("a formula is one line, and there was one before this");
        formula = read_formula(lexer);
    }
    if (!formula) Line{file_name, 1, ""}.fail(0, "a formula was expected, and there is none");
    return std::move(*formula);
}

}  // namespace polyrx
