// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

// Short ways to values.
Formula n(double number) {
    return {.number = number};
}
Formula v(const std::string& name) {
    return {.kind = Kind::name, .name = name};
}
Formula f(Kind kind, std::vector<Formula> operands) {
    return {.kind = kind, .operands = std::move(operands)};
}
Condition compare(Formula left, Relation relation, Formula right) {
    return {.left = std::move(left), .relation = relation, .right = std::move(right)};
}
Condition join(Condition::Kind kind, std::vector<Condition> operands) {
    return {.kind = kind, .operands = std::move(operands)};
}

Formula formula(std::string_view text) {
    return parse_formula(text, "formula");
}
Condition condition(const std::string& text) {
    return parse_rules("if " + text + " then A", "rules.txt").rules.at(0).condition;
}
std::vector<std::string> treatments(const std::string& text) {
    return parse_rules("if a > 3 then " + text, "rules.txt").rules.at(0).treatments;
}
std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

constexpr auto conjunction = Condition::Kind::all_of;
constexpr auto disjunction = Condition::Kind::any_of;
constexpr auto negation = Condition::Kind::negation;

TEST(ParseRules, ReadsAFileOfRulesAndDerivedFeatures) {
    const Rules rules = parse_rules(
        "# who may get what\n"
        "\n"
        "if bmi > 30 then Medium, High\r\n"
        "let crcl = (140 - age) * weight / (72 * creatinine)        # a derived feature\n"
        "  IF crcl < 30 Then not Low",
        "rules.txt");
    ASSERT_EQ(rules.lets.size(), 1U);
    EXPECT_EQ(rules.lets[0].name, "crcl");
    EXPECT_EQ(rules.lets[0].line, 4);
    EXPECT_EQ(rules.lets[0].formula,
              f(Kind::divide, {f(Kind::multiply, {f(Kind::subtract, {n(140), v("age")}), v("weight")}),
                               f(Kind::multiply, {n(72), v("creatinine")})}));
    ASSERT_EQ(rules.rules.size(), 2U);
    EXPECT_EQ(rules.rules[0], (Rule{compare(v("bmi"), Relation::greater, n(30)), false, {"Medium", "High"}}));
    EXPECT_EQ(rules.rules[0].line, 3);
    EXPECT_EQ(rules.rules[1], (Rule{compare(v("crcl"), Relation::less, n(30)), true, {"Low"}}));
    EXPECT_EQ(rules.rules[1].line, 5);
}

TEST(ParseRules, ReadsAnEmptyFileAsNoRules) {
    EXPECT_EQ(parse_rules("", "rules.txt"), Rules{});
    EXPECT_EQ(parse_rules("\n \t\n# nothing yet\n", "rules.txt"), Rules{});
    EXPECT_EQ(parse_rules("\xef\xbb\xbf", "rules.txt"), Rules{});
}

TEST(ParseRules, GivesFormulasTheirPlaceInTheText) {
    const Rules rules = parse_rules("\n if größe + (\"b c\" * 2) > log(x) then A", "rules.txt");
    const Condition& condition = rules.rules[0].condition;
    EXPECT_EQ(condition.left.line, 2);
    EXPECT_EQ(condition.left.column, 5);
    EXPECT_EQ(condition.left.operands[1].column, 13);  // the parenthesis
    EXPECT_EQ(condition.left.operands[1].operands[0].column, 14);
    EXPECT_EQ(condition.right.column, 27);
    EXPECT_EQ(condition.right.operands[0].column, 31);
}

TEST(ParseRules, BindsNotBeforeAndBeforeOr) {
    const Condition a = compare(v("a"), Relation::less, n(1));
    const Condition b = compare(v("b"), Relation::less, n(2));
    const Condition c = compare(v("c"), Relation::less, n(3));
    EXPECT_EQ(condition("a < 1 or b < 2 and not c < 3"),
              join(disjunction, {a, join(conjunction, {b, join(negation, {c})})}));
    EXPECT_EQ(condition("not a < 1 and b < 2"), join(conjunction, {join(negation, {a}), b}));
    EXPECT_EQ(condition("NOT (a < 1 Or b < 2)"), join(negation, {join(disjunction, {a, b})}));
    EXPECT_EQ(condition("not not a < 1"), join(negation, {join(negation, {a})}));
    EXPECT_EQ(condition("a < 1 and b < 2 and c < 3"), join(conjunction, {a, b, c}));
    EXPECT_EQ(condition("(a < 1 and b < 2) and c < 3"), join(conjunction, {join(conjunction, {a, b}), c}));
}

TEST(ParseRules, ReadsEveryComparison) {
    const std::vector<std::pair<std::string, Relation>> signs = {
        {"<", Relation::less},       {"<=", Relation::less_equal},    {"\u2264", Relation::less_equal},
        {">", Relation::greater},    {">=", Relation::greater_equal}, {"\u2265", Relation::greater_equal},
        {"=", Relation::equal},      {"==", Relation::equal},         {"!=", Relation::not_equal},
        {"<>", Relation::not_equal}, {"\u2260", Relation::not_equal}};
    for (const auto& [sign, relation] : signs)
        EXPECT_EQ(condition("a" + sign + "b"), compare(v("a"), relation, v("b"))) << sign;
}

TEST(ParseRules, ReadsAChainAsComparisonsThatAllHold) {
    const Condition chain =
        join(conjunction, {compare(n(18), Relation::less_equal, v("age")), compare(v("age"), Relation::less, n(65))});
    EXPECT_EQ(condition("18 <= age < 65"), chain);
    EXPECT_EQ(condition("18 <= age and age < 65"), chain);
    EXPECT_EQ(condition("18 <= age < 65 and a = b"),
              join(conjunction, {chain, compare(v("a"), Relation::equal, v("b"))}));
    EXPECT_EQ(condition("a > b >= c > d").operands.size(), 3U);
}

TEST(ParseRules, TellsAParenthesisOfAConditionFromOneOfAFormula) {
    const Condition sum = compare(f(Kind::add, {v("a"), v("b")}), Relation::greater, n(3));
    EXPECT_EQ(condition("(a + b) > 3"), sum);
    EXPECT_EQ(condition("((a + b) > 3)"), sum);
    EXPECT_EQ(condition("((((a)) + b)) > (3)"), sum);
    EXPECT_EQ(condition("(a + b > 3) and ((a) + b > 3)"), join(conjunction, {sum, sum}));
    EXPECT_EQ(condition("((a) > (3)) and b = c"),
              join(conjunction, {compare(v("a"), Relation::greater, n(3)), compare(v("b"), Relation::equal, v("c"))}));
}

TEST(ParseRules, TakesMissingAloneAsACondition) {
    const Formula missing{.kind = Kind::missing, .name = "bmi"};
    EXPECT_EQ(condition("missing(bmi)"), compare(missing, Relation::equal, n(1)));
    EXPECT_EQ(condition("not (missing(\"bmi\"))"), join(negation, {compare(missing, Relation::equal, n(1))}));
    EXPECT_EQ(condition("missing(bmi) + 1 > 1"), compare(f(Kind::add, {missing, n(1)}), Relation::greater, n(1)));
}

TEST(ParseFormula, FollowsThePrecedenceOfMathematics) {
    const Formula x = v("x");
    EXPECT_EQ(formula("-x^2"), f(Kind::negate, {f(Kind::power, {x, n(2)})}));
    EXPECT_EQ(formula("2^-x^3"), f(Kind::power, {n(2), f(Kind::negate, {f(Kind::power, {x, n(3)})})}));
    EXPECT_EQ(formula("2^3^x"), f(Kind::power, {n(2), f(Kind::power, {n(3), x})}));
    EXPECT_EQ(formula("-2 * x"), f(Kind::multiply, {f(Kind::negate, {n(2)}), x}));
    EXPECT_EQ(formula("1 - 2 - x"), f(Kind::subtract, {f(Kind::subtract, {n(1), n(2)}), x}));
    EXPECT_EQ(formula("1 / 2 * x"), f(Kind::multiply, {f(Kind::divide, {n(1), n(2)}), x}));
    EXPECT_EQ(formula("1 + 2 * x"), f(Kind::add, {n(1), f(Kind::multiply, {n(2), x})}));
    EXPECT_EQ(formula("(1 + 2) * x"), f(Kind::multiply, {f(Kind::add, {n(1), n(2)}), x}));
    EXPECT_EQ(formula("1--+x"), f(Kind::subtract, {n(1), f(Kind::negate, {x})}));
    EXPECT_EQ(formula("LOG (x) + min(x, 1, exp(-1)) + max(x, 2) + sqrt(x)"),
              f(Kind::add,
                {f(Kind::add,
                   {f(Kind::add, {f(Kind::log, {x}), f(Kind::min, {x, n(1), f(Kind::exp, {f(Kind::negate, {n(1)})})})}),
                    f(Kind::max, {x, n(2)})}),
                 f(Kind::sqrt, {x})}));
}

TEST(ParseFormula, ReadsNumbers) {
    EXPECT_EQ(formula("1"), n(1));
    EXPECT_EQ(formula(".5"), n(0.5));
    EXPECT_EQ(formula("5."), n(5));
    EXPECT_EQ(formula("1e-3"), n(0.001));
    EXPECT_EQ(formula("2.5E+2"), n(250));
    EXPECT_EQ(formula("1e-999"), n(0));
    EXPECT_EQ(formula("1e3-2"), f(Kind::subtract, {n(1000), n(2)}));
}

TEST(ParseFormula, ReadsNamesBareAndInQuotes) {
    for (const char* name : {"age", "_x", "lab.value", ".x", "x1", "größe", "年齢", "min", "µg"})
        EXPECT_EQ(formula(name), v(name)) << name;
    EXPECT_EQ(formula("\"north wing\""), v("north wing"));
    EXPECT_EQ(formula("'5 mg # \"'"), v("5 mg # \""));
    EXPECT_EQ(formula("`if`"), v("if"));
    EXPECT_EQ(formula("'it''s'"), v("it's"));
    EXPECT_EQ(formula("\"\"\"\""), v("\""));
    EXPECT_EQ(formula("\n  x  # the only one\n\n"), v("x"));
}

TEST(ParseRules, ReadsTreatmentsAsTheyStandOrInQuotes) {
    using List = std::vector<std::string>;
    EXPECT_EQ(treatments("\"5 mg\", 10 mg  ,A/B (new)"), (List{"5 mg", "10 mg", "A/B (new)"}));
    EXPECT_EQ(treatments("patient's choice,'a, b' # note"), (List{"patient's choice", "a, b"}));
    EXPECT_EQ(treatments("nothing, 'not this'"), (List{"nothing", "not this"}));
    EXPECT_EQ(treatments("not-dosed"), (List{"not-dosed"}));
    const Rule rule = parse_rules("if a > 3 then NOT A, 'B'", "rules.txt").rules.at(0);
    EXPECT_TRUE(rule.exclude);
    EXPECT_EQ(rule.treatments, (List{"A", "B"}));
}

TEST(RulesText, IsCanonical) {
    const auto canonical = [](const std::string& text) { return to_text(parse_rules(text, "rules.txt")); };
    EXPECT_EQ(canonical("if ((a)+(b))*2>=3 then \"5 mg\" , 'a,b'\nlet x=--y"),
              "let x = --y\nif (a + b) * 2 >= 3 then 5 mg, \"a,b\"\n");
    EXPECT_EQ(canonical("if not ((18<=age) and age<65 and age<65) or missing(x)=1 then not `if`"),
              "if not (18 <= age and age < 65 and age < 65) or missing(x) then not if\n");
    EXPECT_EQ(canonical("if 18<=age and age<65 then A"), "if 18 <= age < 65 then A\n");
    EXPECT_EQ(canonical("if \"log\" = 'it\"s' then A"), "if \"log\" = 'it\"s' then A\n");
    EXPECT_EQ(to_text(n(-2.5)), "-2.5");
    EXPECT_EQ(to_text(f(Kind::power, {n(-2), n(-3)})), "(-2)^-3");
    EXPECT_EQ(to_text(n(1e21)), "1e+21");
}

TEST(RulesText, RefusesWhatTheLanguageCannotWrite) {
    const auto trouble = [](const Formula& formula) -> std::string {
        try {
            return to_text(formula);
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(trouble(v("a\nb")), "'a\\nb' cannot be written in rules: it has a line end in it");
    EXPECT_EQ(trouble(v("")), "'' cannot be written in rules: it is empty");
    EXPECT_EQ(trouble(v("\xff")), "'?' cannot be written in rules: it is not UTF-8");
    EXPECT_EQ(trouble(v("\x1b")), "'\\x1b' cannot be written in rules: it has a control character in it");
    EXPECT_EQ(trouble(n(HUGE_VAL)), "the number inf cannot be written in rules");
}

// ---- large ones

int height(const Formula& formula) {
    int highest = 0;
    for (const Formula& operand : formula.operands) highest = std::max(highest, 1 + height(operand));
    return highest;
}

double value(const Formula& formula) {
    if (formula.kind == Kind::number) return formula.number;
    const double left = value(formula.operands[0]);
    const double right = value(formula.operands[1]);
    return formula.kind == Kind::add ? left + right : left - right;
}

TEST(ParseFormula, KeepsSumsOfManyTermsLow) {
    std::string text = "0";
    double sum = 0;
    for (int i = 1; i < 100'000; ++i) {
        text += i % 3 == 0 ? " - " : " + ";
        text += std::to_string(i);
        sum += i % 3 == 0 ? -i : i;
    }
    const Formula read = formula(text);
    EXPECT_LT(height(read), 40);
    EXPECT_EQ(value(read), sum);
    EXPECT_EQ(formula(to_text(read)), read);
}

TEST(ParseFormula, AddsSixtyFourTermsFromTheLeft) {
    Formula sum = v("x");
    for (std::size_t i = 1; i < longest_sum; ++i) sum = f(Kind::add, {sum, v("x")});
    EXPECT_EQ(formula("x" + repeated(" + x", longest_sum - 1)), sum);
    EXPECT_EQ(to_text(sum), "x" + repeated(" + x", longest_sum - 1));
    EXPECT_LT(height(formula("x" + repeated(" + x", longest_sum))), 20);
}

TEST(RulesText, WritesSumsFromTheLeftOfAnyLengthSoThatTheyReadBack) {
    Formula sum = v("x");
    for (int terms = 2; terms < 600; ++terms) {
        sum = f(terms % 5 == 0 ? Kind::subtract : Kind::add, {sum, v("x")});
        ASSERT_EQ(formula(to_text(sum)), sum) << terms;
    }
}

TEST(ParseRules, TakesChainsOfTenThousand) {
    const auto reads_back = [](const std::string& text) {
        const Rules rules = parse_rules(text, "rules.txt");
        EXPECT_EQ(parse_rules(to_text(rules), "rules.txt"), rules);
    };
    reads_back("if a" + repeated(" < a", 10'000) + " then A");
    reads_back("if a = b" + repeated(" and a = b", 10'000) + " then A");
    reads_back("if a = b" + repeated(" or not a = b", 10'000) + " then A");
    reads_back("let x = max(a" + repeated(", a", 10'000) + ")");
    reads_back("let x = a" + repeated(" - a * b", 10'000));
    reads_back("let x = a" + repeated(" * a", 1000));
}

// The sentence, without file, line and excerpt, at its column.
std::string parse_trouble(const std::string& text) {
    try {
        (void)parse_rules(text, "rules.txt");
    } catch (const TextError& error) {
        return std::string(error.sentence());
    }
    return "(no error)";
}

TEST(ParseRules, RefusesWhatIsNestedTooDeeply) {
    const std::string too_deep = ": nested more than 200 levels deep up to here";
    const std::vector<std::pair<std::string, std::string>> around = {
        {"(", ")"}, {"-", ""}, {"+", ""}, {"2^", ""}, {"log(", ")"}, {"min(1, ", ")"}, {"1 + (", ")"}};
    for (const auto& pair : around) {
        const auto nested = [&](std::size_t levels) {
            return "let x = " + repeated(pair.first, levels) + "a" + repeated(pair.second, levels);
        };
        const Rules rules = parse_rules(nested(200), "rules.txt");
        EXPECT_EQ(parse_rules(to_text(rules), "rules.txt"), rules);
        for (const std::size_t levels : {201, 100'000})
            EXPECT_TRUE(parse_trouble(nested(levels)).ends_with(too_deep)) << pair.first;
    }
    EXPECT_EQ(parse_trouble("if " + repeated("not ", 200) + "a > 3 then A"), "(no error)");
    EXPECT_TRUE(parse_trouble("if " + repeated("not ", 201) + "a > 3 then A").ends_with(too_deep));
    EXPECT_TRUE(parse_trouble("if " + repeated("(", 100'000)).ends_with(too_deep));
    // A sum that has to be halved is written with parentheses of its own.
    EXPECT_EQ(parse_trouble("let x = " + repeated("2^", 190) + "(a" + repeated(" + a", 1000) + ")"), "(no error)");
    EXPECT_TRUE(
        parse_trouble("let x = " + repeated("2^", 195) + "(a" + repeated(" + a", 1000) + ")").ends_with(too_deep));
}

TEST(ParseRules, RefusesFormulasOfTooManyOperatorsInARow) {
    EXPECT_EQ(
        parse_trouble("let x = a" + repeated(" * a", 1001)),
        "rules.txt:1:9: more than 1000 operators of this formula depend on each other: cut it into several with 'let'");
    EXPECT_TRUE(parse_trouble("let x = " + repeated("(", 100) + "a" + repeated(repeated(" + a", 60) + ")", 100))
                    .ends_with("cut it into several with 'let'"));
}

}  // namespace
}  // namespace polyrx
