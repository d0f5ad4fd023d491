// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_write.hpp"

#include <gtest/gtest.h>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

std::string written(const Table& table) {
    std::string text;
    write_csv(table, [&](std::string_view piece) { text += piece; });
    return text;
}

TEST(WriteCsv, WritesNumbersInTheirShortestExactForm) {
    EXPECT_EQ(written(Table({test::numbers("x", {5, .1, -1e300, NumericColumn::missing, 1.0 / 3})})),
              "x\n5\n0.1\n-1e+300\nNA\n0.3333333333333333\n");
}

TEST(WriteCsv, QuotesOnlyWhatNeedsIt) {
    EXPECT_EQ(written(Table(
                  {test::texts("a,b", {"plain text", "say \"hi\"", " padded", "two\nlines", ""}, {0, 1, 2, 3, 4, -1}),
                   test::truths("ok", {1, 0, -1, 1, 1, 1})})),
              "\"a,b\",ok\nplain text,true\n\"say \"\"hi\"\"\",false\n\" padded\",NA\n\"two\nlines\",true\n\"\",true\n"
              "NA,true\n");
}

TEST(WriteCsv, CallsInPieces) {
    std::size_t calls = 0;
    std::size_t bytes = 0;
    write_csv(Table({test::numbers("x", std::vector<double>(1'000'000, .123456))}), [&](std::string_view piece) {
        ++calls;
        bytes += piece.size();
    });
    EXPECT_EQ(bytes, 2u + 9'000'000u);
    EXPECT_GE(calls, 8u);
    EXPECT_LE(calls, 10u);
}

}  // namespace
}  // namespace polyrx
