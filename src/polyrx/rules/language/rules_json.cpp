// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/rules_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::ordered_json;

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

// A value, and where it stands: "rules.json: rules[0].if".
class Value {
public:
    Value(const Json& json, std::string file, std::string path)
        : json_(json), file_(std::move(file)), path_(std::move(path)) {}

    [[nodiscard]] const Json& json() const { return json_; }
    [[nodiscard]] std::string place() const { return path_.empty() ? file_ : fmt::format("{}: {}", file_, path_); }

    [[noreturn]] void fail(std::string_view what) const { throw data_error(fmt::format("{}: {}", place(), what)); }

    // An object of no other members than these.
    void expect_object(const std::vector<std::string>& known) const {
        if (!json_.is_object()) fail_type("an object");
        for (const auto& [key, member] : json_.items())
            if (std::ranges::find(known, key) == known.end()) {
                const std::string guess = did_you_mean(key, known);
                fail(fmt::format("unknown member {}{}", in_quotes(key),
                                 guess.empty() ? fmt::format(" (known are {})", listed(known, known.size())) : guess));
            }
    }

    [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }

    [[nodiscard]] Value at(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) fail(fmt::format("'{}' is missing", key));
        return {*found, file_, path_.empty() ? key : fmt::format("{}.{}", path_, key)};
    }

    [[nodiscard]] std::vector<Value> items() const {
        if (!json_.is_array()) fail_type("a list");
        std::vector<Value> items;
        for (std::size_t i = 0; i < json_.size(); ++i)
            items.emplace_back(json_[i], file_, fmt::format("{}[{}]", path_, i));
        return items;
    }

    [[nodiscard]] std::string text() const {
        if (!json_.is_string()) fail_type("a text");
        return json_.get<std::string>();
    }

    // That rules as text can write too.
    [[nodiscard]] std::string name() const {
        std::string name = text();
        if (const auto trouble = unwritable(name)) fail(fmt::format("this name {}", *trouble));
        return name;
    }

    [[noreturn]] void fail_type(std::string_view expected) const {
        std::string found;
        if (json_.is_string())
            found = fmt::format("the text {}", in_quotes(json_.get<std::string>()));
        else
            found = json_.is_object() ? "an object" : json_.is_array() ? "a list" : json_.dump();
        fail(fmt::format("{} was expected, not {}", expected, found));
    }

private:
    const Json& json_;
    std::string file_;
    std::string path_;
};

Formula formula_in(const Value& value) {
    if (value.json().is_string()) return parse_formula(value.text(), value.place());
    if (!value.json().is_number()) value.fail_type("a formula as a text, or a number");
    const double number = value.json().get<double>();
    // As it would be read from text.
    const Formula magnitude{.number = std::abs(number)};
    return std::signbit(number) ? Formula{.kind = Formula::Kind::negate, .operands = {magnitude}} : magnitude;
}

Relation relation_in(const Value& value) {
    constexpr std::array all = {Relation::less,          Relation::less_equal, Relation::greater,
                                Relation::greater_equal, Relation::equal,      Relation::not_equal};
    const std::string sign = value.text();
    for (const Relation relation : all)
        if (sign == sign_of(relation)) return relation;
    value.fail(fmt::format("{} is not a comparison (<, <=, >, >=, =, !=)", in_quotes(sign)));
}

Condition condition_in(const Value& value) {
    value.expect_object({"left", "is", "right", "all", "any", "not"});
    Condition condition;
    if (value.has("all") || value.has("any") || value.has("not")) {
        if (value.json().size() != 1) value.fail("'all', 'any' and 'not' each stand alone in a condition");
        if (value.has("not")) {
            condition.kind = Condition::Kind::negation;
            condition.operands.push_back(condition_in(value.at("not")));
            return condition;
        }
        condition.kind = value.has("all") ? Condition::Kind::all_of : Condition::Kind::any_of;
        const Value operands = value.at(value.has("all") ? "all" : "any");
        for (const Value& operand : operands.items()) condition.operands.push_back(condition_in(operand));
        if (condition.operands.size() < 2) operands.fail("two conditions or more were expected");
        return condition;
    }
    condition.left = formula_in(value.at("left"));
    condition.relation = relation_in(value.at("is"));
    condition.right = formula_in(value.at("right"));
    return condition;
}

Rule rule_in(const Value& value) {
    value.expect_object({"if", "allow", "exclude"});
    Rule rule;
    rule.condition = condition_in(value.at("if"));
    rule.exclude = value.has("exclude");
    if (rule.exclude && value.has("allow")) value.fail("there is both 'allow' and 'exclude'");
    if (!rule.exclude && !value.has("allow")) value.fail("'allow' or 'exclude' is missing");
    const Value treatments = value.at(rule.exclude ? "exclude" : "allow");
    std::set<std::string> seen;
    for (const Value& treatment : treatments.items()) {
        rule.treatments.push_back(treatment.name());
        if (!seen.insert(rule.treatments.back()).second)
            treatment.fail(fmt::format("the treatment {} stands there twice", in_quotes(rule.treatments.back())));
    }
    if (rule.treatments.empty()) treatments.fail("a treatment was expected, and there is none");
    // Conditions and formulas that are not too deep on their own may be together.
    try {
        (void)parse_rules(to_text(rule), value.place());
    } catch (const TextError&) {
        value.fail(fmt::format("nested more than {} levels deep", deepest_nesting));
    }
    return rule;
}

[[noreturn]] void fail_at_byte(std::string_view text, const std::string& name, std::size_t byte) {
    // As lines_of() has them, but that the last may be empty: JSON may end too soon on it.
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const std::size_t begin = before.rfind('\n') + 1;
    const auto number = static_cast<int>(std::ranges::count(before, '\n')) + 1;
    std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    Line{name, number, line}.fail(std::min(before.size() - begin, line.size()), "this is not valid JSON");
}

Json parsed(std::string_view text, const std::string& name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    (void)lines_of(text, name);  // is it UTF-8?
    // "if" is the third level, and each condition in "all" or "any" two more.
    constexpr int deepest = 2 * deepest_nesting + 10;
    std::vector<std::set<std::string>> keys;
    const auto check = [&](int depth, Json::parse_event_t event, Json& value) {
        if (depth > deepest)
            throw data_error(fmt::format("{}: nested more than {} levels deep", name, deepest_nesting));
        // JSON leaves open what a repeated key means, and the library would keep the last: better to ask.
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            throw data_error(fmt::format("{}: the member {} stands there twice in one object", name,
                                         in_quotes(value.get<std::string>())));
        return true;
    };
    try {
        return Json::parse(text, check);
    } catch (const Json::parse_error& error) {
        fail_at_byte(text, name, std::max<std::size_t>(error.byte, 1) - 1);
    } catch (const Json::out_of_range&) {
        throw data_error(fmt::format("{}: a number in it is too large", name));
    }
}

}  // namespace

std::string to_json(const Rules& rules) {
    Json lets = Json::array();
    for (const Let& let : rules.lets) lets.push_back({{"name", let.name}, {"formula", to_text(let.formula)}});
    Json all = Json::array();
    for (const Rule& rule : rules.rules)
        all.push_back({{"if", json_of(rule.condition)}, {rule.exclude ? "exclude" : "allow", rule.treatments}});
    // One line per statement.
    const auto listed_lines = [](const Json& list) {
        std::string text = "[";
        for (std::size_t i = 0; i < list.size(); ++i) text += fmt::format("{}\n  {}", i > 0 ? "," : "", list[i].dump());
        return text + (list.empty() ? "]" : "\n ]");
    };
    return fmt::format("{{\n \"lets\": {},\n \"rules\": {}\n}}\n", listed_lines(lets), listed_lines(all));
}

Rules parse_rules_json(std::string_view json, const std::string& name) {
    const Json document = parsed(json, name);
    const Value root(document, name, "");
    root.expect_object({"lets", "rules"});
    Rules rules;
    std::set<std::string> names;
    if (root.has("lets"))
        for (const Value& let : root.at("lets").items()) {
            let.expect_object({"name", "formula"});
            rules.lets.push_back({.name = let.at("name").name(), .formula = formula_in(let.at("formula"))});
            if (!names.insert(rules.lets.back().name).second)
                let.fail(fmt::format("there is a derived feature {} already", in_quotes(rules.lets.back().name)));
        }
    if (root.has("rules"))
        for (const Value& rule : root.at("rules").items()) rules.rules.push_back(rule_in(rule));
    return rules;
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
