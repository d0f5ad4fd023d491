// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::same_values;
using test::texts;
using test::truths;

const double missing = NumericColumn::missing;

Table parsed(std::string_view text, const CsvOptions& options = {}) {
    return parse_csv(text, "train.csv", options);
}

std::string csv_trouble(std::string_view text, const CsvOptions& options = {}) {
    return test::sentence_of(ErrorKind::data, [&] { (void)parsed(text, options); });
}

CsvOptions with_column(ColumnSchema column) {
    CsvOptions options;
    options.schema.columns = {std::move(column)};
    return options;
}

TEST(ReadCsv, InfersNumbersTruthsAndCategories) {
    const Table table = parsed("age,smoker,sex,flag\n31,yes,F,0\n,No,M,1\n4.5e1,NA,F,NA\n");
    EXPECT_TRUE(same_values(table, Table({numbers("age", {31, missing, 45}), truths("smoker", {1, 0, -1}),
                                          texts("sex", {"F", "M"}, {0, 1, 0}), numbers("flag", {0, 1, missing})})));
}

TEST(ReadCsv, TakesAMixtureOfTrueAndYesForCategories) {
    EXPECT_EQ(parsed("a\ntrue\nFALSE\n").columns()[0].type(), ColumnType::boolean);
    EXPECT_EQ(parsed("a\ntrue\nno\n").columns()[0].type(), ColumnType::categorical);
    EXPECT_EQ(parsed("a\ntrue\n0\n").columns()[0].type(), ColumnType::categorical);
}

TEST(ReadCsv, KeepsTheFilesWordsForTrueAndFalse) {
    const Table table = parsed("a,b,c\nyes,TRUE,yes\nNo,FALSE,YES\n,,\n");
    EXPECT_EQ(table.at("a").text(0), "yes");
    EXPECT_EQ(table.at("a").text(1), "No");
    EXPECT_EQ(table.at("b").text(1), "FALSE");
    EXPECT_EQ(table.at("c").text(0), "YES") << "one word for both spellings, whichever row comes first";
    EXPECT_EQ(table.take(std::vector<std::size_t>{1}).at("a").text(0), "No");
}

TEST(ReadCsv, ReadsEveryFormOfANumber) {
    const Table table =
        parsed("x\n+5\n 7\t\n-.5\n1.\nINF\n-Infinity\n1e999\n-1e999\n1e-999\n4.9e-324\n0.1\n\"8\"\nnan\n");
    EXPECT_TRUE(same_values(
        table,
        Table({numbers("x", {5, 7, -.5, 1, infinity, -infinity, infinity, -infinity, 0, 4.9e-324, .1, 8, missing})})));
    for (const char* text :
         {"0x10", "1e", "+-5", "-", ".", "1_000", "1,5", "infinit", "--1", "1 2", "nan(1)", "-nan(1)"})
        EXPECT_EQ(parsed(std::string("x\n\"") + text + "\"\n").columns()[0].type(), ColumnType::categorical) << text;
}

TEST(ReadCsv, KeepsTextVerbatimWhenALateRowShowsThatAColumnIsNoNumber) {
    const Table table = parsed("a,b\n010,1\n 5,2\nnan,x\nNA,3\nx,4\n");
    EXPECT_TRUE(same_values(table, Table({texts("a", {" 5", "010", "nan", "x"}, {0 + 1, 0, 2, -1, 3}),
                                          texts("b", {"1", "2", "3", "4", "x"}, {0, 1, 4, 2, 3})})));
}

TEST(ReadCsv, ListsInferredCategoriesInNaturalOrderWhateverTheRowOrder) {
    const Table table = parsed("dose\n10 mg\n5 mg\n\n100 mg\n");
    EXPECT_TRUE(same_values(table, Table({texts("dose", {"5 mg", "10 mg", "100 mg"}, {1, 0, -1, 2})})));
}

TEST(ReadCsv, TakesAColumnWithoutValuesForNumbers) {
    EXPECT_TRUE(same_values(parsed("a,b\n,NA\nNaN, \n"),
                            Table({numbers("a", {missing, missing}), numbers("b", {missing, missing})})));
}

TEST(ReadCsv, UnderstandsQuotesLineEndsAndByteOrderMark) {
    const Table table = parsed("\xef\xbb\xbf\"a,1\",b\r\n\"say \"\"hi\"\"\nthere\",5 \"inch\r\n\"\",x\r\n\r\n\n");
    EXPECT_TRUE(same_values(
        table, Table({texts("a,1", {"say \"hi\"\nthere"}, {0, -1}), texts("b", {"5 \"inch", "x"}, {0, 1})})));
}

TEST(ReadCsv, NamesTheLineOnWhichARowStarts) {
    const Table table = parsed("a,b\n\"x\ny\",1\nz,2\n");
    EXPECT_EQ(table.where(0), "train.csv:2");
    EXPECT_EQ(table.where(1), "train.csv:4");
    EXPECT_EQ(table.where(), "train.csv");
}

TEST(ReadCsv, ReadsTabs) {
    const Table expected({numbers("a", {1}), numbers("b", {2})});
    EXPECT_TRUE(same_values(parsed("a\tb\n1\t2\n"), expected));
    EXPECT_TRUE(same_values(parsed("a,b\n1,2\n"), expected));
    EXPECT_TRUE(same_values(parse_csv("a,1\tb\n1\t2\n", "x.tsv.gz"), Table({numbers("a,1", {1}), numbers("b", {2})})));
    EXPECT_TRUE(same_values(parsed("a;b\n1;2\n", {.delimiter = ';'}), expected));
}

TEST(ReadCsv, TakesABlankLineOfAOneColumnFileForAMissingCellUnlessItIsLast) {
    EXPECT_TRUE(same_values(parsed("a\n1\n\n2\n\n\n"), Table({numbers("a", {1, missing, 2})})));
}

TEST(ReadCsv, PassesOverColumnsWithoutANameWhereToldTo) {
    CsvOptions options;
    options.pass_over_nameless = true;
    const Table table = parsed("a,,b, ,\n1,x,2,,\n", options);
    EXPECT_TRUE(same_values(table, Table({numbers("a", {1}), numbers("b", {2})})));
    EXPECT_EQ(table.source().header, (std::vector<std::string>{"a", "b"}));
}

TEST(ReadCsv, MakesATableOfNoRowsFromAHeader) {
    const Table table = parsed("a,b");
    EXPECT_EQ(table.columns().size(), 2u);
    EXPECT_EQ(table.rows(), 0u);
}

TEST(ReadCsv, ReadsOnlyTheColumnsAskedForButChecksEveryRow) {
    CsvOptions options;
    options.columns = {"c", "a", "absent"};
    EXPECT_TRUE(same_values(parsed("a,b,c\n1,x,2\n", options), Table({numbers("a", {1}), numbers("c", {2})})));
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)parsed("a,b,absnt\n1,x,2\n", options).at("absent"); }),
              "train.csv has no column 'absent' (it has a, b, absnt); did you mean 'absnt'?")
        << "columns that were not read are named too";
    EXPECT_EQ(csv_trouble("a,b,c\n1,2\n", options), "train.csv:2: 2 cells, but the header has 3 columns");
}

TEST(ReadCsv, UsesTheDeclaredTextsForMissing) {
    CsvOptions options;
    options.schema.missing = {"-999", "?"};
    const Table table = parsed("a,b\n-999,NA\n-5,?\n -999 ,x\n", options);
    EXPECT_TRUE(same_values(table, Table({numbers("a", {missing, -5, missing}), texts("b", {"NA", "x"}, {0, -1, 1})})));
}

TEST(ReadCsv, HoldsDeclaredTypes) {
    CsvOptions options;
    options.schema.columns = {{.name = "a", .type = ColumnType::categorical},
                              {.name = "b", .type = ColumnType::boolean},
                              {.name = "c", .type = ColumnType::categorical, .categories = {"M", "NA", "F"}}};
    const Table table = parsed("a,b,c\n10,1,F\n9,yes,NA\n,FALSE,\n", options);
    EXPECT_TRUE(same_values(table, Table({texts("a", {"9", "10"}, {1, 0, -1}), truths("b", {1, 1, 0}),
                                          texts("c", {"M", "NA", "F"}, {2, 1, -1})})));
}

TEST(ReadCsv, SaysWhatIsWrongWithADeclaredColumn) {
    const auto one = [](ColumnSchema column, const std::string& cell) {
        column.name = "age";
        return csv_trouble("age,b\n1,\n" + cell + ",\n", with_column(column));
    };
    EXPECT_EQ(one({.type = ColumnType::numeric}, "old"), "train.csv:3: column 'age': 'old' is not a number");
    EXPECT_EQ(one({.type = ColumnType::boolean}, "2"),
              "train.csv:3: column 'age': '2' is not a truth value (true, false, yes, no, 1 or 0)");
    EXPECT_EQ(one({.type = ColumnType::categorical, .categories = {"1", "M"}}, "X"),
              "train.csv:3: column 'age': 'X' is not a declared category (1, M)");
    EXPECT_EQ(one({.categories = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}}, "X"),
              "train.csv:3: column 'age': 'X' is not a declared category (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...)");
    EXPECT_EQ(one({.lower = 0}, "-1"), "train.csv:3: column 'age': -1 is below the declared minimum of 0");
    EXPECT_EQ(one({.upper = 120.5}, "121"), "train.csv:3: column 'age': 121 is above the declared maximum of 120.5");
    EXPECT_EQ(one({.integer = true}, "3.5"), "train.csv:3: column 'age': 3.5 is not a whole number");
    EXPECT_EQ(one({.integer = true}, "NA"), "(no error)");
}

TEST(ReadCsv, SaysWhatIsWrongWithTheShape) {
    EXPECT_EQ(csv_trouble(""), "train.csv: the file is empty");
    EXPECT_EQ(csv_trouble("\xef\xbb\xbf\r\n\n"), "train.csv: the file is empty");
    EXPECT_EQ(csv_trouble("a,b,c\n1,2,3\n1,2\n"), "train.csv:3: 2 cells, but the header has 3 columns");
    EXPECT_EQ(csv_trouble("a\n1,2\n"), "train.csv:2: 2 cells, but the header has 1 column");
    EXPECT_EQ(csv_trouble("a,b\n1\n"), "train.csv:2: 1 cell, but the header has 2 columns");
    EXPECT_EQ(csv_trouble("a,b\n\n1,2\n"), "train.csv:2: a blank line, but the header has 2 columns");
    EXPECT_EQ(csv_trouble("a,b,a\n"), "train.csv:1: columns 1 and 3 are both called 'a'");
    EXPECT_EQ(csv_trouble("a,,c\n"), "train.csv:1: column 2 of the header has no name");
    EXPECT_EQ(csv_trouble("a;b\n1;2\n"),
              "train.csv:1: the header looks separated by semicolons, but polyrx reads commas or tabs");
}

TEST(ReadCsv, BlamesTheShapeOfARowBeforeACellThatItShifted) {
    EXPECT_EQ(csv_trouble("age,sex,x\nF,1\n", with_column({.name = "age", .type = ColumnType::numeric})),
              "train.csv:2: 2 cells, but the header has 3 columns");
}

TEST(ReadCsv, SaysWhatIsWrongWithTheBytes) {
    EXPECT_EQ(csv_trouble("a,b\n1,\"2\n3,4\n"), "train.csv:2: a quote opens here and is never closed");
    EXPECT_EQ(csv_trouble("a,b\n1,\"2\"x\n"),
              "train.csv:2: text after a closing quote (a quote inside a quoted cell is written twice)");
    EXPECT_EQ(csv_trouble("a\r1\r2\r"),
              "train.csv:1: a carriage return without a line feed (lines must end in LF or CRLF)");
    EXPECT_EQ(csv_trouble(std::string_view("a\n1\n\0\n", 6)),
              "train.csv:3: a NUL byte: the file looks binary or UTF-16 (save it as UTF-8 text)");
    EXPECT_EQ(csv_trouble("a,b\xff\n"),
              "train.csv:1: column 2: the name 'b?' is not valid UTF-8 (save the file as UTF-8)");
    EXPECT_EQ(csv_trouble("a,b\n1,2\n1,caf\xe9\n"),
              "train.csv:3: column 'b': 'caf?' is not valid UTF-8 (save the file as UTF-8)");
}

TEST(ReadCsv, RefusesADelimiterThatCellsHold) {
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [] { (void)parsed("a.b\n", {.delimiter = '.'}); }),
              "a delimiter must be a comma, a tab, a semicolon or a vertical bar");
}

TEST(ReadCsv, StopsWhenTheListenerSaysSo) {
    const Progress stop = [](double, std::string_view) { return false; };
    EXPECT_EQ(test::sentence_of(ErrorKind::canceled, [&] { (void)parse_csv("a\n1\n", "train.csv", {}, stop); }),
              "canceled");
}

TEST(ReadCsv, ReadsAFileAndNamesIt) {
    const test::TemporaryFolder folder;
    test::put(folder / "x.csv", "a\n1\n");
    const Table table = read_csv((folder / "x.csv").string());
    EXPECT_TRUE(same_values(table, Table({numbers("a", {1})})));
    EXPECT_EQ(table.where(), (folder / "x.csv").string());
}

}  // namespace
}  // namespace polyrx
