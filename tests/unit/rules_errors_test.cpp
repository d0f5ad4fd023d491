// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {
namespace {

std::string rules_trouble(const std::string& text) {
    try {
        (void)parse_rules(text, "rules.txt");
    } catch (const TextError& error) {
        return error.what();
    }
    return "(no error)";
}

// Of one line: column, sentence. That the caret is under the column is tested below for all kinds of lines.
std::string place_and_sentence(const std::string& line) {
    const std::string what = rules_trouble(line);
    const std::string file = "rules.txt:1:";
    return what.starts_with(file) ? what.substr(file.size(), what.find('\n') - file.size()) : what;
}

TEST(RulesErrors, SaysWhatIsMissing) {
    EXPECT_EQ(place_and_sentence("then A"), "1: 'if' and a condition are missing before 'then'");
    EXPECT_EQ(place_and_sentence("if a > 3"),
              "9: 'then' is missing: a rule is written as if CONDITION then TREATMENT, TREATMENT");
    EXPECT_EQ(place_and_sentence("if crcl < 30 then"), "18: a treatment is missing after 'then'");
    EXPECT_EQ(place_and_sentence("if a > 3 then not # none"), "18: a treatment is missing after 'not'");
    EXPECT_EQ(place_and_sentence("if a > 3 then A,"), "17: a treatment is missing after ','");
    EXPECT_EQ(place_and_sentence("if a > 3 then A,, B"), "17: a treatment is missing after ','");
    EXPECT_EQ(place_and_sentence("if then A"), "4: a condition is missing after 'if'");
    EXPECT_EQ(place_and_sentence("if not then A"), "8: a condition is missing after 'not'");
    EXPECT_EQ(place_and_sentence("if a > 3 and then A"), "14: a condition is missing after 'and'");
    EXPECT_EQ(place_and_sentence("if a >  then A"), "9: a number or a name is missing after '>'");
    EXPECT_EQ(place_and_sentence("let x = "), "8: a number or a name is missing after '='");
    EXPECT_EQ(place_and_sentence("let x = ()"), "10: a number or a name is missing after '('");
    EXPECT_EQ(place_and_sentence("let x"),
              "6: '=' is missing after 'x': a derived feature is written as let NAME = FORMULA");
    EXPECT_EQ(place_and_sentence("let x == 3"),
              "7: '=' is missing after 'x': a derived feature is written as let NAME = FORMULA");
    EXPECT_EQ(place_and_sentence("let = 3"),
              "5: a name is missing after 'let': a derived feature is written as let NAME = FORMULA");
    EXPECT_EQ(place_and_sentence("let"),
              "4: a name is missing after 'let': a derived feature is written as let NAME = FORMULA");
    EXPECT_EQ(place_and_sentence("when a > 3 then A"),
              "1: a line begins with 'if' (a rule), 'let' (a derived feature) or '#' (a comment)");
}

TEST(RulesErrors, SaysWhatDoesNotContinueACondition) {
    EXPECT_EQ(place_and_sentence("if age 80 then A"), "8: an operator was expected, not '80'");
    EXPECT_EQ(place_and_sentence("if ward = north wing then A"),
              "17: 'and', 'or' or 'then' was expected, not 'wing' (a name with a space in it is quoted)");
    EXPECT_EQ(place_and_sentence("if sex = female or male then A"),
              "20: this is compared with nothing: a condition is written as in age >= 80");
    EXPECT_EQ(place_and_sentence("if (a > 3 then A"), "4: '(' is not closed with ')'");
    EXPECT_EQ(place_and_sentence("if log(a > 3 then A"),
              "8: this is a condition, where a number or a name was expected");
    EXPECT_EQ(place_and_sentence("if a > 3) then A"), "9: this ')' closes nothing");
    EXPECT_EQ(place_and_sentence("if a < b > c then A"),
              "10: a chain of comparisons has one direction, as in 18 <= age < 65: join others with 'and'");
    EXPECT_EQ(place_and_sentence("if a = b = c then A"),
              "10: = and != cannot be part of a chain of comparisons: join them with 'and'");
    EXPECT_EQ(place_and_sentence("if a < b = c then A"),
              "10: = and != cannot be part of a chain of comparisons: join them with 'and'");
    EXPECT_EQ(place_and_sentence("if (a > 3) + 2 > 5 then A"),
              "4: this is a condition, where a number or a name was expected");
    EXPECT_EQ(place_and_sentence("if -(a > 3) > 5 then A"),
              "5: this is a condition, where a number or a name was expected");
    EXPECT_EQ(place_and_sentence("if a > 3 if b > 4 then A"), "10: 'and', 'or' or 'then' was expected, not 'if'");
    EXPECT_EQ(place_and_sentence("if let > 3 then A"), "4: 'let' is a word of the language (in quotes it is a name)");
    EXPECT_EQ(place_and_sentence("let x = 3 then A"), "11: 'then' belongs to rules, which begin with 'if'");
    EXPECT_EQ(place_and_sentence("let x = a > 3"), "9: this is a condition, where a number or a name was expected");
    EXPECT_EQ(place_and_sentence("let x = a, b"), "10: an operator was expected, not ','");
}

TEST(RulesErrors, SaysHowAFunctionIsCalled) {
    EXPECT_EQ(place_and_sentence("if foo(x) > 3 then A"),
              "4: there is no function 'foo' (there are log, exp, sqrt, min, max, missing)");
    EXPECT_EQ(place_and_sentence("if lgo(x) > 3 then A"), "4: there is no function 'lgo' (did you mean 'log'?)");
    EXPECT_EQ(place_and_sentence("if missing(x + 1) then A"), "4: missing takes the name of one feature");
    EXPECT_EQ(place_and_sentence("if missing(x, y) then A"), "4: missing takes the name of one feature");
    EXPECT_EQ(place_and_sentence("if max(a) > 1 then A"), "4: max takes two arguments or more, not 1");
    EXPECT_EQ(place_and_sentence("if log(a, b) > 1 then A"), "4: log takes one argument, not 2");
    EXPECT_EQ(place_and_sentence("if log() > 1 then A"), "8: a number or a name is missing after '('");
    EXPECT_EQ(place_and_sentence("if log(a > 1) > 1 then A"),
              "8: this is a condition, where a number or a name was expected");
}

TEST(RulesErrors, SaysWhatIsWrongWithANameOrANumber) {
    EXPECT_EQ(place_and_sentence("if a > 1,000 then A"),
              "9: ',' means nothing here: a number is written as 1000 or 0.5");
    EXPECT_EQ(place_and_sentence("if a > 1_000 then A"), "8: '1_000' is not a number: its digits are not grouped");
    EXPECT_EQ(place_and_sentence("if 30kg > 3 then A"),
              "4: '30kg' is not a number (a name that begins with a digit is quoted)");
    EXPECT_EQ(place_and_sentence("if a > 1.2.3 then A"),
              "8: '1.2.3' is not a number (a name that begins with a digit is quoted)");
    EXPECT_EQ(place_and_sentence("if a > 1e then A"),
              "8: '1e' is not a number (a name that begins with a digit is quoted)");
    EXPECT_EQ(place_and_sentence("if a > 1e999 then A"), "8: the number '1e999' is too large");
    EXPECT_EQ(place_and_sentence("if a > \"x then A"), "8: the quote \" is not closed on this line");
    EXPECT_EQ(place_and_sentence("if a > '' then A"), "8: there is nothing between these quotes");
    EXPECT_EQ(place_and_sentence("let if = 3"),
              "5: 'if' is a word of the language: a derived feature needs another name, or quotes around it");
    EXPECT_EQ(place_and_sentence("let log = 3"),
              "5: 'log' is a function: a derived feature needs another name, or quotes around it");
}

TEST(RulesErrors, KnowsWhatOthersWrite) {
    EXPECT_EQ(place_and_sentence("if a && b then A"), "6: '&' means nothing here: write 'and'");
    EXPECT_EQ(place_and_sentence("if a > 3 || b then A"), "10: '|' means nothing here: write 'or'");
    EXPECT_EQ(place_and_sentence("if !a then A"), "4: '!' means nothing here: write 'not', or != for unequal");
    EXPECT_EQ(place_and_sentence("if a => 3 then A"), "6: '=>' means nothing here: greater or equal is >=");
    EXPECT_EQ(place_and_sentence("if a =< 3 then A"), "6: '=<' means nothing here: less or equal is <=");
    EXPECT_EQ(place_and_sentence("if a**2 > 3 then A"), "5: '**' means nothing here: a power is written with ^");
    EXPECT_EQ(place_and_sentence("if a − 2 > 3 then A"), "6: '−' means nothing here: a minus is written as -");
    EXPECT_EQ(place_and_sentence("if “a” > 3 then A"), "4: '“' means nothing here: quotes are written as \" or '");
    EXPECT_EQ(place_and_sentence("if a\u00a0> 3 then A"),
              "5: '\u00a0' means nothing here: write a plain space for this no-break space");
    EXPECT_EQ(place_and_sentence("if a > 30 % then A"), "11: '%' means nothing here: write 0.3 for 30 %");
    EXPECT_EQ(place_and_sentence("if a ~ b then A"),
              "6: '~' means nothing here (a name with such a character is quoted)");
}

TEST(RulesErrors, SaysWhatIsWrongWithTreatments) {
    EXPECT_EQ(place_and_sentence("if a > 3 then A, not B"),
              "18: 'not' stands once, after 'then', and is for all (a treatment that begins with it is quoted)");
    EXPECT_EQ(place_and_sentence("if a > 3 then not not B"),
              "19: 'not' stands once, after 'then', and is for all (a treatment that begins with it is quoted)");
    EXPECT_EQ(place_and_sentence("if a > 3 then A, 'A'"), "18: the treatment 'A' stands there twice");
    EXPECT_EQ(place_and_sentence("if a > 3 then 'A' B"), "19: ',' was expected after a treatment in quotes");
    EXPECT_EQ(place_and_sentence("if a > 3 then 'A"), "15: the quote ' is not closed on this line");
    EXPECT_EQ(place_and_sentence("if a > 3 then A\a"), "16: there may be no control character in a treatment");
}

TEST(RulesErrors, ShowTheLineAndAnArrowBelowThePlace) {
    EXPECT_EQ(rules_trouble("# doses\n\nif crcl < 30 then\n"),
              "rules.txt:3:18: a treatment is missing after 'then'\n"
              "  if crcl < 30 then\n"
              "                   ^");
    EXPECT_EQ(rules_trouble("let x = 1\r\nlet y = 2\r\nlet x = 3\r\n"),
              "rules.txt:3:5: there is a derived feature 'x' already, on line 1\n"
              "  let x = 3\n"
              "      ^");
}

TEST(RulesErrors, PointAtThePlaceBehindTabsAndLettersOfSeveralBytes) {
    EXPECT_EQ(rules_trouble("\tif größe >\t@ then A"),
              "rules.txt:1:13: '@' means nothing here (a name with such a character is quoted)\n"
              "  \tif größe >\t@ then A\n"
              "  \t          \t^");
}

TEST(RulesErrors, ShowOfALongLineWhatIsAroundThePlace) {
    EXPECT_EQ(rules_trouble("if " + std::string(200, 'a') + " ~ " + std::string(200, 'b') + " then A"),
              "rules.txt:1:205: '~' means nothing here (a name with such a character is quoted)\n"
              "  ..." +
                  std::string(69, 'a') + " ~ " + std::string(28, 'b') + "...\n" + std::string(75, ' ') + "^");
}

TEST(RulesErrors, ShowNoControlCharacters) {
    EXPECT_EQ(rules_trouble("if \x1b[31m > 3 then A"),
              "rules.txt:1:4: '\\x1b' means nothing here (a name with such a character is quoted)\n"
              "  if ?[31m > 3 then A\n"
              "     ^");
}

TEST(RulesErrors, PointAtTheFirstByteThatIsNotUtf8) {
    EXPECT_EQ(rules_trouble("if a > 3 then A\nif gr\xc3\xb6\xdf"
                            "e > 3 then A"),
              "rules.txt:2:7: from here on this is not UTF-8 (save the file as UTF-8)\n"
              "  if grö?\n"
              "        ^");
}

TEST(RulesErrors, OfAFormulaThatIsNotOneLine) {
    const auto formula_trouble = [](std::string_view text) -> std::string {
        try {
            (void)parse_formula(text, "--let");
        } catch (const TextError& error) {
            return error.what();
        }
        return "(no error)";
    };
    EXPECT_EQ(formula_trouble("# none\n"), "--let:1:1: a formula was expected, and there is none\n  \n  ^");
    EXPECT_EQ(formula_trouble("a\n+ b"), "--let:2:1: a formula is one line, and there was one before this\n  + b\n  ^");
}

}  // namespace
}  // namespace polyrx
