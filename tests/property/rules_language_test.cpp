// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>

#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"
#include "tests/support/random_rules.hpp"

namespace polyrx {
namespace {

TEST(RulesLanguageProperty, WhatIsWrittenAsTextReadsBackAsTheSameValue) {
    for (std::uint64_t i = 0; i < 5000; ++i) {
        Rng rng(1, Draw::test, i);
        const Rules rules = test::random_rules(rng, false);
        const std::string text = to_text(rules);
        ASSERT_EQ(parse_rules(text, "rules.txt"), rules) << i << "\n" << text;
    }
}

TEST(RulesLanguageProperty, WhatIsWrittenAsJsonReadsBackAsTheSameValue) {
    for (std::uint64_t i = 0; i < 1500; ++i) {
        Rng rng(2, Draw::test, i);
        const Rules rules = test::random_rules(rng, false);
        const std::string json = to_json(rules);
        ASSERT_EQ(parse_rules_file(json, "rules.json"), rules) << i << "\n" << json;
        ASSERT_EQ(to_json(parse_rules_json(json, "rules.json")), json);
    }
}

TEST(RulesLanguageProperty, ANegativeNumberReadsBackAsANegationAndThenTheTextStaysTheSame) {
    for (std::uint64_t i = 0; i < 1500; ++i) {
        Rng rng(3, Draw::test, i);
        const Rules rules = test::random_rules(rng, true);
        const std::string text = to_text(rules);
        const Rules read = parse_rules(text, "rules.txt");
        ASSERT_EQ(read, test::as_read(rules)) << i << "\n" << text;
        ASSERT_EQ(to_text(read), text);
        ASSERT_EQ(parse_rules_json(to_json(rules), "rules.json"), read);
    }
}

// Taking out any pair of parentheses that to_text() wrote makes another value, or no formula at all.
TEST(RulesLanguageProperty, NoParenthesesCouldBeLeftOut) {
    int pairs = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        Rng rng(4, Draw::test, i);
        Formula formula = test::random_formula(rng, static_cast<int>(rng.below(10)), false);
        const std::string text = to_text(formula);
        if (text.find_first_of("\"'`") != std::string::npos) continue;  // a quoted name may have some
        std::vector<std::size_t> open;
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '(') open.push_back(at);
            if (text[at] != ')') continue;
            const std::size_t from = open.back();
            open.pop_back();
            if (from > 0 && std::isalpha(static_cast<unsigned char>(text[from - 1]))) continue;  // of a function
            std::string without = text;
            without[from] = without[at] = ' ';
            ++pairs;
            try {
                ASSERT_FALSE(parse_formula(without, "formula") == formula) << text << "\n" << without;
            } catch (const TextError&) {
                continue;  // as good
            }
        }
    }
    EXPECT_GT(pairs, 1000);
}

// Length of a line in code points; of the line behind the last, 0.
int length_of_line(std::string_view text, int number) {
    for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return characters(text.substr(0, text.find('\n')));
}

void expect_rules_or_a_place(const std::string& text) {
    std::optional<Rules> rules;
    try {
        rules = parse_rules(text, "rules.txt");
    } catch (const TextError& error) {
        const auto lines = 1 + static_cast<int>(std::ranges::count(text, '\n'));
        ASSERT_TRUE(is_utf8(error.what())) << text;
        ASSERT_GE(error.line(), 1);
        ASSERT_LE(error.line(), lines) << text;
        ASSERT_GE(error.column(), 1);
        // Bytes that are no UTF-8 are counted from their first on only.
        if (is_utf8(text)) {
            ASSERT_LE(error.column(), length_of_line(text, error.line()) + 1) << text;
        }
        const std::string_view excerpt = error.excerpt();
        ASSERT_EQ(std::ranges::count(error.what() + std::string(), '\n'), 2) << error.what();
        ASSERT_TRUE(excerpt.starts_with("  ") && excerpt.ends_with("^")) << error.what();
        return;
    }
    ASSERT_EQ(parse_rules(to_text(*rules), "written.txt"), *rules) << text;
}

TEST(RulesLanguageProperty, ChangedTextIsReadOrRefusedWithAPlaceInIt) {
    constexpr std::array<std::string_view, 30> pieces = {
        " ",        "(",    ")",    ",",  "\"", "'",    "`",        "#",    "<",
        "<=",       "=",    "!=",   "-",  "^",  "*",    "1",        "e9",   ".",
        "if ",      "then", " not", "or", "\n", "\r\n", "\xc3\xa9", "\xe2", "\xe2\x89\xa4",
        "missing(", "\t",   "_"};
    int readable = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        Rng rng(5, Draw::test, i);
        std::string text = to_text(test::random_rules(rng, false));
        for (std::uint64_t changes = 1 + rng.below(3); changes > 0 && !text.empty(); --changes) {
            const std::size_t at = rng.below(text.size());
            const std::string_view piece = pieces[rng.below(pieces.size())];
            switch (rng.below(4)) {
                case 0:
                    text.erase(at, 1 + rng.below(5));
                    break;
                case 1:
                    text.insert(at, piece);
                    break;
                case 2:
                    text.replace(at, 1, piece);
                    break;
                default:
                    text.insert(at, text, rng.below(text.size()), rng.below(20));
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rules_or_a_place(text)) << i;
        try {
            readable += parse_rules(text, "rules.txt").rules.empty() ? 0 : 1;
        } catch (const TextError&) {
            continue;
        }
    }
    EXPECT_GT(readable, 500);
}

TEST(RulesLanguageProperty, TokensInAnyOrderAreReadOrRefusedWithAPlaceInThem) {
    constexpr std::array<std::string_view, 28> tokens = {
        "a",  "b", "3", "(", ")", "(", ")",    "and",  "or", "not",        "<",   "<=",   ">",     "=",
        "!=", "+", "-", "*", "/", "^", "log(", "min(", ",",  "missing(a)", "'q'", "then", "a > 3", "#"};
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        Rng rng(6, Draw::test, i);
        std::string text = "if ";
        for (std::uint64_t length = rng.below(12); length > 0; --length) {
            text += tokens[rng.below(tokens.size())];
            text += ' ';
        }
        text += "then A";
        ASSERT_NO_FATAL_FAILURE(expect_rules_or_a_place(text)) << i;
    }
}

// Sums around sums, longer than those that are added from the left, nested up to the limit and beyond: the text of what
// was read never needs more levels than there may be.
TEST(RulesLanguageProperty, WhatIsLongAndDeepReadsBackToo) {
    int readable = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        Rng rng(7, Draw::test, i);
        std::string text = "a";
        const std::uint64_t levels = rng.bernoulli(0.5) ? 185 + rng.below(20) : rng.below(40);
        const double long_share = 2.0 / static_cast<double>(levels + 1);
        for (std::uint64_t level = 0; level < levels; ++level) {
            std::string terms;
            const std::uint64_t most = rng.bernoulli(long_share) ? 2000 : 3;
            for (std::uint64_t term = rng.below(most); term > 0; --term) terms += rng.bernoulli(0.5) ? " + b" : " - b";
            switch (rng.below(6)) {
                case 0:
                    text = fmt::format("({}{})", text, terms);
                    break;
                case 1:
                    text = fmt::format("(c{} - {})", terms, text);
                    break;
                case 2:
                    text = fmt::format("({}) * d", text);
                    break;
                case 3:
                    text = fmt::format("-{}{}", text, terms);
                    break;
                case 4:
                    text = fmt::format("2^({})", text);
                    break;
                default:
                    text = fmt::format("min({}{}, 1)", text, terms);
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rules_or_a_place("let x = " + text)) << i;
        try {
            (void)parse_formula(text, "formula");
            ++readable;
        } catch (const TextError&) {
            continue;
        }
    }
    EXPECT_GT(readable, 100);
    EXPECT_LT(readable, 290);
}

}  // namespace
}  // namespace polyrx
