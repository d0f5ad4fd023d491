// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/label_text.hpp"

#include <fmt/format.h>
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

TEST(Shortened, ShowsBothEndsAndFits) {
    const Measure columns = in_columns();
    EXPECT_EQ(shortened("metabolizer", 11, columns), "metabolizer");
    EXPECT_EQ(shortened("metabolizer", 10, columns), "metab\xe2\x80\xa6izer");
    EXPECT_NE(shortened("extended release 50 mg", 12, columns), shortened("extended release 75 mg", 12, columns));
    EXPECT_EQ(shortened("two words, or so", 10, columns), "two w\xe2\x80\xa6r so");
    EXPECT_EQ(shortened("one two three", 8, columns), "one\xe2\x80\xa6ree");   // no space before it
    EXPECT_EQ(shortened("three two one", 9, columns), "thre\xe2\x80\xa6one");  // nor after it
    EXPECT_EQ(shortened("e\xcc\x81"
                        "a\xcc\x81"
                        "b",
                        2, columns),
              "e\xcc\x81\xe2\x80\xa6");  // keeps accents on letters
    const std::string hebrew = one_line("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    EXPECT_EQ(shortened(hebrew, 3, columns), "\xe2\x81\xa8\xd7\xa9\xe2\x80\xa6\xd7\x9d\xe2\x81\xa9");
}

TEST(Shortened, LeavesNoIsolateOpenAndClosesNoneThatIsNot) {
    const std::string word = one_line("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    for (const std::string& text :
         {word, fmt::format("{} and more", word), fmt::format("more and {}", word), fmt::format("{0} and {0}", word),
          fmt::format("a {} b", word), fmt::format("{0}{0}", word)})
        for (int room = 1; room < 20; ++room) {
            const std::string line = shortened(text, room, in_columns());
            int open = 0;
            for (std::size_t at = 0; at < line.size(); ++at) {
                open += line.compare(at, 3, "\xe2\x81\xa8") == 0   ? 1
                        : line.compare(at, 3, "\xe2\x81\xa9") == 0 ? -1
                                                                   : 0;
                ASSERT_TRUE(open == 0 || open == 1) << text << " in " << room;
            }
            EXPECT_EQ(open, 0) << text << " in " << room;
        }
}

TEST(Shortened, FitsWhereverOneCharacterAndAnEllipsisDo) {
    const std::string text = "a\xe6\xb2\xbb e\xcc\x81 bcd\xe6\xb2\xbb";
    for (int room = 2; room < 12; ++room) EXPECT_LE(in_columns()(shortened(text, room, in_columns())), room);
}

TEST(Wrapped, BreaksBetweenPiecesAndOnlyThenInsideThem) {
    const Measure columns = in_columns();
    EXPECT_EQ(wrapped({"0.5 age", "- 12 smoker", "> 3"}, 20, columns, TooWide::divide),
              (Lines{"0.5 age - 12 smoker", "> 3"}));
    EXPECT_EQ(wrapped({"0.5 body mass index", "> 3"}, 10, columns, TooWide::divide),
              (Lines{"0.5 body", "mass index", "> 3"}));
    EXPECT_EQ(wrapped({"abcdefghij"}, 4, columns, TooWide::divide), (Lines{"abcd", "efgh", "ij"}));
    EXPECT_EQ(wrapped({"abcdefghij", "> 3"}, 7, columns, TooWide::shorten), (Lines{"abc\xe2\x80\xa6hij", "> 3"}));
    EXPECT_EQ(wrapped({"2 [metabolizer is intermediate]", "> 3"}, 16, columns, TooWide::shorten),
              (Lines{"2 [metabolizer", "is intermediate]", "> 3"}));
    EXPECT_EQ(wrapped({"age", "- 2 [metabolizer is poor]", "> 3"}, 16, columns, TooWide::shorten),
              (Lines{"age", "- 2 [metabolizer", "is poor] > 3"}));
    EXPECT_EQ(wrapped({"one two three four five six"}, 5, columns, TooWide::shorten),
              (Lines{"one", "tw\xe2\x80\xa6ve", "six"}));
    EXPECT_EQ(wrapped({}, 7, columns, TooWide::divide), Lines{});
}

TEST(Wrapped, KeepsTheDirectionOfWritingOnEveryLine) {
    const std::string word = "\xd7\xa9\xd7\x9c";
    const std::string isolated = one_line(word);
    const std::string twice = one_line(word + " \xd7\xa9\xd7\x9c");
    for (const TooWide too_wide : {TooWide::shorten, TooWide::divide})
        EXPECT_EQ(wrapped({"is", twice}, 4, in_columns(), too_wide), (Lines{"is", isolated, isolated}));
}

TEST(Wrapped, EndsEvenWhereNothingFits) {
    EXPECT_EQ(wrapped({"\xe6\xb2\xbb\xe6\xb2\xbb"}, 1, in_columns(), TooWide::divide),
              (Lines{"\xe6\xb2\xbb", "\xe6\xb2\xbb"}));
}

}  // namespace
}  // namespace polyrx
