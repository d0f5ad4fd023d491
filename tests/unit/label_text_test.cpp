// SPDX-License-Identifier: Apache-2.0
#include "polyrx/plot/label_text.hpp"

#include <gtest/gtest.h>

namespace polyrx {
namespace {

using Lines = std::vector<std::string>;

TEST(OneLine, MakesAnyBytesAFitLabel) {
    EXPECT_EQ(one_line("two\r\n lines\tand\x01 more "), "two lines and more");
    EXPECT_EQ(one_line("\xff broken \xc3"), "\xef\xbf\xbd broken \xef\xbf\xbd");
    EXPECT_EQ(one_line("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // half of a surrogate pair
    EXPECT_EQ(one_line("na\xc3\xafve \xf0\x9f\x92\x8a"), "na\xc3\xafve \xf0\x9f\x92\x8a");
    EXPECT_EQ(one_line(""), "");
}

TEST(OneLine, KeepsTheDirectionOfWritingToTheLabel) {
    EXPECT_EQ(one_line("a\xe2\x80\xae"
                       "b"),
              "ab");
    EXPECT_EQ(one_line("\xd7\xa9"), "\xe2\x81\xa8\xd7\xa9\xe2\x81\xa9");
    EXPECT_EQ(one_line(one_line("\xd7\xa9")), one_line("\xd7\xa9"));
}

TEST(Measures, CountColumnsAsATerminalDoes) {
    const Measure columns = in_columns();
    EXPECT_EQ(columns("abc"), 3);
    EXPECT_EQ(columns("\xc3\xa9"), 1);
    EXPECT_EQ(columns("e\xcc\x81"), 1);     // with a combining accent
    EXPECT_EQ(columns("\xe6\xb2\xbb"), 2);  // a wide letter
    EXPECT_EQ(columns(one_line("\xd7\xa9")), 1);
}

TEST(Shortened, EndsWithAnEllipsisAndFits) {
    const Measure columns = in_columns();
    EXPECT_EQ(shortened("metaboliser", 11, columns), "metaboliser");
    EXPECT_EQ(shortened("metaboliser", 10, columns), "metabolis\xe2\x80\xa6");
    EXPECT_EQ(shortened("two words", 5, columns), "two\xe2\x80\xa6");  // no space before it
    EXPECT_EQ(shortened("e\xcc\x81"
                        "a\xcc\x81"
                        "b",
                        2, columns),
              "e\xcc\x81\xe2\x80\xa6");  // keeps accents on letters
    const std::string hebrew = one_line("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    EXPECT_EQ(shortened(hebrew, 3, columns),
              "\xe2\x81\xa8\xd7\xa9\xd7\x9c\xe2\x80\xa6\xe2\x81\xa9");  // closes the isolate
}

TEST(Wrapped, BreaksBetweenPiecesAndOnlyThenInsideThem) {
    const Measure columns = in_columns();
    EXPECT_EQ(wrapped({"0.5 age", "- 12 smoker", "> 3"}, 20, columns, TooWide::divide),
              (Lines{"0.5 age - 12 smoker", "> 3"}));
    EXPECT_EQ(wrapped({"0.5 body mass index", "> 3"}, 10, columns, TooWide::divide),
              (Lines{"0.5 body", "mass index", "> 3"}));
    EXPECT_EQ(wrapped({"abcdefghij"}, 4, columns, TooWide::divide), (Lines{"abcd", "efgh", "ij"}));
    EXPECT_EQ(wrapped({"abcdefghij", "> 3"}, 7, columns, TooWide::shorten), (Lines{"abcdef\xe2\x80\xa6", "> 3"}));
    EXPECT_EQ(wrapped({}, 7, columns, TooWide::divide), Lines{});
}

TEST(Wrapped, EndsEvenWhereNothingFits) {
    EXPECT_EQ(wrapped({"\xe6\xb2\xbb\xe6\xb2\xbb"}, 1, in_columns(), TooWide::divide),
              (Lines{"\xe6\xb2\xbb", "\xe6\xb2\xbb"}));
}

}  // namespace
}  // namespace polyrx
