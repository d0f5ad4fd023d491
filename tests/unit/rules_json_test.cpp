// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "polyrx/core/error.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

constexpr const char* ward_text =
    "let crcl = (140 - age) * weight / (72 * creatinine)\n"
    "if 0.5 * weight + height > 200 or not sex = female then Low, 10 mg\n"
    "if 18 <= age < 65 then not \"a, b\"\n";

constexpr const char* ward_json = R"json({
 "lets": [
  {"name":"crcl","formula":"(140 - age) * weight / (72 * creatinine)"}
 ],
 "rules": [
  {"if":{"any":[{"left":"0.5 * weight + height","is":">","right":"200"},{"not":{"left":"sex","is":"=","right":"female"}}]},"allow":["Low","10 mg"]},
  {"if":{"all":[{"left":"18","is":"<=","right":"age"},{"left":"age","is":"<","right":"65"}]},"exclude":["a, b"]}
 ]
}
)json";

std::string document_trouble(const std::string& document) {
    try {
        (void)parse_rules_json(document, "rules.json");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        return error.what();
    }
    return "(no error)";
}

// Of a rule with this condition.
std::string condition_trouble(const std::string& condition) {
    return document_trouble(R"({"rules": [{"if": )" + condition + R"(, "allow": ["A"]}]})");
}

TEST(RulesJson, SaysTheSameAsText) {
    EXPECT_EQ(to_json(parse_rules(ward_text, "rules.txt")), ward_json);
    EXPECT_EQ(to_text(parse_rules_json(ward_json, "rules.json")), ward_text);
    EXPECT_EQ(to_json(Rules{}), "{\n \"lets\": [],\n \"rules\": []\n}\n");
    EXPECT_EQ(parse_rules_json("{}", "rules.json"), Rules{});
}

TEST(RulesJson, TakesNumbersForFormulas) {
    const Rules rules = parse_rules_json(
        R"({"rules": [{"if": {"left": "x", "is": ">=", "right": -2.5}, "allow": ["A"]}]})", "rules.json");
    EXPECT_EQ(to_text(rules), "if x >= -2.5 then A\n");
    EXPECT_EQ(parse_rules(to_text(rules), "rules.txt"), rules);
}

TEST(RulesJson, IsToldFromTextByItsFirstCharacter) {
    const test::TemporaryFolder folder;
    test::put(folder / "rules.json", "\xef\xbb\xbf \r\n" + std::string(ward_json));
    test::put(folder / "rules.txt", ward_text);
    EXPECT_EQ(read_rules(folder / "rules.json"), read_rules(folder / "rules.txt"));
    EXPECT_EQ(read_rules(folder / "rules.txt").rules.size(), 2U);
    EXPECT_EQ(parse_rules_file(" \n", "rules.txt"), Rules{});
    try {
        (void)read_rules(folder / "none.txt");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), (folder / "none.txt").string() + ": No such file or directory");
    }
}

TEST(RulesJson, RefusesMembersItDoesNotKnow) {
    EXPECT_EQ(document_trouble(R"({"rule": []})"), "rules.json: unknown member 'rule' (did you mean 'rules'?)");
    EXPECT_EQ(document_trouble(R"({"lets": [{"name": "x", "is": "3"}]})"),
              "rules.json: lets[0]: unknown member 'is' (known are name, formula)");
    EXPECT_EQ(document_trouble(R"({"rules": [{"if": {}, "alow": []}]})"),
              "rules.json: rules[0]: unknown member 'alow' (did you mean 'allow'?)");
    EXPECT_EQ(condition_trouble(R"({"not": {"lefd": "a"}})"),
              "rules.json: rules[0].if.not: unknown member 'lefd' (did you mean 'left'?)");
    EXPECT_EQ(document_trouble(R"({"rules": [], "rules": []})"),
              "rules.json: the member 'rules' stands there twice in one object");
}

TEST(RulesJson, RefusesWrongTypes) {
    EXPECT_EQ(document_trouble("[]"), "rules.json: an object was expected, not a list");
    EXPECT_EQ(document_trouble(R"({"rules": {}})"), "rules.json: rules: a list was expected, not an object");
    EXPECT_EQ(document_trouble(R"({"rules": ["if a > 3 then A"]})"),
              "rules.json: rules[0]: an object was expected, not the text 'if a > 3 then A'");
    EXPECT_EQ(document_trouble(R"({"lets": [{"name": 3, "formula": "x"}]})"),
              "rules.json: lets[0].name: a text was expected, not 3");
    EXPECT_EQ(condition_trouble(R"({"left": "a", "is": ">", "right": null})"),
              "rules.json: rules[0].if.right: a formula as a text, or a number was expected, not null");
    EXPECT_EQ(condition_trouble(R"({"left": "a", "is": "=<", "right": 3})"),
              "rules.json: rules[0].if.is: '=<' is not a comparison (<, <=, >, >=, =, !=)");
}

TEST(RulesJson, RefusesWhatMakesNoSense) {
    const std::string valid = R"({"left": "a", "is": ">", "right": 3})";
    const auto rule_trouble = [&](const std::string& members) {
        return document_trouble(R"({"rules": [{"if": )" + valid + members + "}]}");
    };
    EXPECT_EQ(rule_trouble(R"(, "allow": ["A"])"), "(no error)");
    EXPECT_EQ(rule_trouble(""), "rules.json: rules[0]: 'allow' or 'exclude' is missing");
    EXPECT_EQ(rule_trouble(R"(, "allow": ["A"], "exclude": ["B"])"),
              "rules.json: rules[0]: there is both 'allow' and 'exclude'");
    EXPECT_EQ(rule_trouble(R"(, "allow": [])"),
              "rules.json: rules[0].allow: a treatment was expected, and there is none");
    EXPECT_EQ(rule_trouble(R"(, "exclude": ["A", "A"])"),
              "rules.json: rules[0].exclude[1]: the treatment 'A' stands there twice");
    EXPECT_EQ(rule_trouble(R"(, "allow": ["A\nB"])"), "rules.json: rules[0].allow[0]: this name has a line end in it");
    EXPECT_EQ(document_trouble(R"({"rules": [{"allow": ["A"]}]})"), "rules.json: rules[0]: 'if' is missing");
    EXPECT_EQ(condition_trouble(R"({"left": "a", "right": 3})"), "rules.json: rules[0].if: 'is' is missing");
    EXPECT_EQ(condition_trouble(R"({"any": []})"), "rules.json: rules[0].if.any: two conditions or more were expected");
    EXPECT_EQ(condition_trouble(R"({"not": )" + valid + R"(, "left": "a"})"),
              "rules.json: rules[0].if: 'all', 'any' and 'not' each stand alone in a condition");
    EXPECT_EQ(document_trouble(R"({"lets": [{"name": "x", "formula": "1"}, {"name": "x", "formula": "2"}]})"),
              "rules.json: lets[1]: there is a derived feature 'x' already");
    EXPECT_EQ(document_trouble(R"({"lets": [{"name": "", "formula": "1"}]})"),
              "rules.json: lets[0].name: this name is empty");
    EXPECT_EQ(document_trouble(R"({"lets": [{"name": "x", "formula": 1e999}]})"),
              "rules.json: line 1, column 36: not valid JSON: this number is too large");
}

TEST(RulesJson, PointsIntoFormulasAndIntoWhatIsNotJson) {
    EXPECT_EQ(condition_trouble(R"({"left": "ward", "is": "=", "right": "north wing"})"),
              "rules.json: rules[0].if.right:1:7: an operator was expected, not 'wing' (a name with a space in it is "
              "quoted)\n"
              "  north wing\n"
              "        ^");
    EXPECT_EQ(document_trouble("{\n \"rules\": [}\n"),
              "rules.json: line 2, column 12: not valid JSON: a value was expected");
    EXPECT_EQ(document_trouble("{\n"),
              "rules.json: line 2, column 1: not valid JSON: the name of a member was expected, in double quotes, but "
              "the text ends here");
}

// "any" of "all" in each pair of parentheses is the deepest that conditions get.
TEST(RulesJson, AreReadBackAsDeeplyNestedAsTextCanBe) {
    std::string condition = "a > 3";
    for (int level = 0; level < deepest_nesting; ++level) condition = fmt::format("a > 1 or a < 2 and ({})", condition);
    const Rules rules = parse_rules(fmt::format("if {} then A\n", condition), "rules.txt");
    EXPECT_EQ(parse_rules_json(to_json(rules), "rules.json"), rules);
    EXPECT_THROW((void)parse_rules(fmt::format("if a > 1 and ({}) then A\n", condition), "rules.txt"), Error);
}

TEST(RulesJson, RefusesWhatIsNestedTooDeeply) {
    const auto nested = [](std::size_t levels) {
        std::string condition = R"json({"left": "a", "is": ">", "right": "-(-(-(-x)))"})json";
        for (std::size_t i = 0; i < levels; ++i) condition = fmt::format(R"({{"not": {}}})", condition);
        return condition_trouble(condition);
    };
    EXPECT_EQ(nested(190), "(no error)");
    EXPECT_EQ(nested(200), "rules.json: rules[0]: nested more than 200 levels deep");
    EXPECT_EQ(nested(1000), "rules.json: rules[0]: nested more than 200 levels deep");
    EXPECT_EQ(document_trouble(std::string(100'000, '[')), "rules.json: nested more than 1024 levels deep");
}

}  // namespace
}  // namespace polyrx
