// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/rules_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

// ---- writing

Json json_of(const Condition& condition) {
    if (condition.kind == Condition::Kind::comparison)
        return {{"left", to_text(condition.left)},
                {"is", sign_of(condition.relation)},
                {"right", to_text(condition.right)}};
    if (condition.kind == Condition::Kind::negation) return {{"not", json_of(condition.operands.front())}};
    Json operands = Json::array();
    for (const Condition& operand : condition.operands) operands.push_back(json_of(operand));
    return {{condition.kind == Condition::Kind::all_of ? "all" : "any", std::move(operands)}};
}

// ---- reading

// Each pair of parentheses in a condition may contain an "any" of an "all": two objects and two lists. The rule, the
// list of rules, the model and the tree surround it.
static_assert(4 * deepest_nesting + 16 <= deepest_json);

// Accepts only names that rules as text can contain.
std::string name_in(const JsonCursor& value) {
    std::string name = value.text();
    if (const auto trouble = unwritable(name)) value.fail(fmt::format("this name {}", *trouble));
    return name;
}

Relation relation_in(const JsonCursor& value) {
    constexpr std::array all = {Relation::less,          Relation::less_equal, Relation::greater,
                                Relation::greater_equal, Relation::equal,      Relation::not_equal};
    const std::string_view sign = value.text_view();
    for (const Relation relation : all)
        if (sign == sign_of(relation)) return relation;
    value.fail(fmt::format("{} is not a comparison (<, <=, >, >=, =, !=)", in_quotes(sign)));
}

Condition condition_in(const JsonCursor& value) {
    value.expect_object({"left", "is", "right", "all", "any", "not"});
    Condition condition;
    if (value.has("all") || value.has("any") || value.has("not")) {
        if (value.members().size() != 1) value.fail("'all', 'any' and 'not' each stand alone in a condition");
        if (value.has("not")) {
            condition.kind = Condition::Kind::negation;
            condition.operands.push_back(condition_in(value.at("not")));
            return condition;
        }
        condition.kind = value.has("all") ? Condition::Kind::all_of : Condition::Kind::any_of;
        const JsonCursor operands = value.at(value.has("all") ? "all" : "any");
        for (const JsonCursor operand : operands.items()) condition.operands.push_back(condition_in(operand));
        if (condition.operands.size() < 2) operands.fail("two conditions or more were expected");
        return condition;
    }
    condition.left = formula_in(value.at("left"));
    condition.relation = relation_in(value.at("is"));
    condition.right = formula_in(value.at("right"));
    return condition;
}

Rule rule_in(const JsonCursor& value) {
    value.expect_object({"if", "allow", "exclude"});
    Rule rule;
    rule.condition = condition_in(value.at("if"));
    rule.exclude = value.has("exclude");
    if (rule.exclude && value.has("allow")) value.fail("there is both 'allow' and 'exclude'");
    if (!rule.exclude && !value.has("allow")) value.fail("'allow' or 'exclude' is missing");
    const JsonCursor treatments = value.at(rule.exclude ? "exclude" : "allow");
    std::set<std::string> seen;
    for (const JsonCursor treatment : treatments.items()) {
        rule.treatments.push_back(name_in(treatment));
        if (!seen.insert(rule.treatments.back()).second)
            treatment.fail(fmt::format("the treatment {} stands there twice", in_quotes(rule.treatments.back())));
    }
    if (rule.treatments.empty()) treatments.fail("a treatment was expected, and there is none");
    // A condition and its formulas may each be within the limit, but not together.
    try {
        (void)parse_rules(to_text(rule), "");
    } catch (const TextError&) {
        value.fail(fmt::format("nested more than {} levels deep", deepest_nesting));
    }
    return rule;
}

}  // namespace

Json json_of(const Rules& rules) {
    Json lets = Json::array();
    for (const Let& let : rules.lets) lets.push_back({{"name", let.name}, {"formula", to_text(let.formula)}});
    Json all = Json::array();
    for (const Rule& rule : rules.rules)
        all.push_back({{"if", json_of(rule.condition)}, {rule.exclude ? "exclude" : "allow", rule.treatments}});
    return {{"lets", std::move(lets)}, {"rules", std::move(all)}};
}

std::string to_json(const Rules& rules) {
    const Json json = json_of(rules);
    // One line per statement.
    const auto listed_lines = [](const std::vector<Json>& list) {
        std::string text = "[";
        for (std::size_t i = 0; i < list.size(); ++i) text += fmt::format("{}\n  {}", i > 0 ? "," : "", list[i].dump());
        return text + (list.empty() ? "]" : "\n ]");
    };
    return fmt::format("{{\n \"lets\": {},\n \"rules\": {}\n}}\n", listed_lines(json.find("lets")->items()),
                       listed_lines(json.find("rules")->items()));
}

Formula formula_in(const JsonCursor& value) {
    if (value.json().is_text()) {
        try {
            return parse_formula(value.text_view(), "");
        } catch (const TextError&) {
            return parse_formula(value.text_view(), value.place());  // place() is slow, so only this branch calls it
        }
    }
    if (!value.json().is_number()) value.fail_expected("a formula as a text, or a number");
    const double number = value.number();
    // Negative numbers become negations, as in text.
    const Formula magnitude{.number = std::abs(number)};
    return std::signbit(number) ? Formula{.kind = Formula::Kind::negate, .operands = {magnitude}} : magnitude;
}

Rules rules_in(const JsonCursor& json) {
    Rules rules;
    std::set<std::string> names;
    if (const auto lets = json.find("lets"))
        for (const JsonCursor let : lets->items()) {
            let.expect_object({"name", "formula"});
            rules.lets.push_back({.name = name_in(let.at("name")), .formula = formula_in(let.at("formula"))});
            if (!names.insert(rules.lets.back().name).second)
                let.fail(fmt::format("there is a derived feature {} already", in_quotes(rules.lets.back().name)));
        }
    if (const auto all = json.find("rules"))
        for (const JsonCursor rule : all->items()) rules.rules.push_back(rule_in(rule));
    return rules;
}

Rules parse_rules_json(std::string_view json, const std::string& name) {
    const JsonDocument document = parse_json_document(json, name);
    document.root().expect_object({"lets", "rules"});
    return rules_in(document.root());
}

Rules parse_rules_file(std::string_view bytes, const std::string& name) {
    const std::size_t first = bytes.find_first_not_of("\xef\xbb\xbf \t\r\n");
    if (first != std::string_view::npos && bytes[first] == '{') return parse_rules_json(bytes, name);
    return parse_rules(bytes, name);
}

Rules read_rules(const std::filesystem::path& path) {
    return parse_rules_file(read_bytes(path.string()), path.string());
}

}  // namespace polyrx
