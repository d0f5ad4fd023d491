// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/natural_order.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

TEST(ClosestName, ForgivesCaseSpacesAndTwoTypingErrors) {
    const std::vector<std::string> known = {"age", "Body weight", "smoker", "x1"};
    EXPECT_EQ(closest_name("AGE ", known), "age");
    EXPECT_EQ(closest_name("bodyweight", known), "Body weight");
    EXPECT_EQ(closest_name("somker", known), "smoker");
    EXPECT_EQ(closest_name("smker", known), "smoker");
    EXPECT_EQ(closest_name("smokers2", known), "smoker");
    EXPECT_EQ(closest_name("x2", known), std::nullopt);
    EXPECT_EQ(closest_name("dose", known), std::nullopt);
    EXPECT_EQ(closest_name("", known), std::nullopt);
}

TEST(NaturalOrder, ComparesRunsOfDigitsAsNumbers) {
    std::vector<std::string> texts = {
        "b", "10 mg", "5 mg", "a10", "a9", "a09", "", "a", "B", "a9b", "123456789012345678901", "99999999999999999999"};
    std::ranges::sort(texts, natural_less);
    EXPECT_EQ(texts, (std::vector<std::string>{"", "5 mg", "10 mg", "99999999999999999999", "123456789012345678901",
                                               "B", "a", "a09", "a9", "a9b", "a10", "b"}));
}

TEST(Utf8, TellsValidFromInvalid) {
    for (const char* text :
         {"", "plain", "caf\xc3\xa9 and more text", "\xe2\x82\xac", "\xf0\x9f\x92\x8a", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const char* text : {"\x80", "12345678\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                             "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
        EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Utf8, ShowsAnyTextOnOneShortLine) {
    EXPECT_EQ(in_quotes("old"), "'old'");
    EXPECT_EQ(in_quotes("a\nb\r\t\x01"), "'a\\nb\\r\\t\\x01'");
    EXPECT_EQ(in_quotes("caf\xe9"), "'caf?'");
    const std::string shown = in_quotes(std::string(30, 'x') + std::string(1000, '\xc3'));
    EXPECT_TRUE(is_utf8(shown));
    EXPECT_TRUE(shown.ends_with("...'"));
    EXPECT_LT(shown.size(), 80u);
}

TEST(Utf8, LetsNoNameSteerATerminal) {
    EXPECT_EQ(without_controls("a\x1b[31mred\nnext\tcell\r"), "a\\x1b[31mred\nnext\tcell\\r");
    EXPECT_EQ(without_controls("a\x1b[31mred\nnext\tcell\r", LineEnds::escape), "a\\x1b[31mred\\nnext\\tcell\\r");
    EXPECT_EQ(without_controls(std::string("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
    EXPECT_EQ(without_controls("\xc2\x9b"
                               "31m \x9b"
                               "31m"),
              "\\x9b31m \\x9b31m");  // C1, and the same byte alone
    EXPECT_EQ(without_controls("\xe2\x80\xaaup\xe2\x80\xae \xe2\x81\xa6side\xe2\x81\xa7"),
              "\\u202aup\\u202e \\u2066side\\u2067");
    EXPECT_EQ(without_controls("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\x8a \xe2\x81\xa8x\xe2\x81\xa9"),
              "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\x8a \xe2\x81\xa8x\xe2\x81\xa9");
    EXPECT_EQ(without_controls("cut \xe2\x82"), "cut \\xe2\\x82");
}

}  // namespace
}  // namespace polyrx
