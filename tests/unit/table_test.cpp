// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

Table patients() {
    return Table({test::numbers("age", {30, 40, NumericColumn::missing}), test::texts("Sex", {"F", "M"}, {1, -1, 0}),
                  test::truths("smoker", {-1, 1, 0})},
                 {"train.csv", {2, 3, 5}});
}

TEST(Table, ShowsCellsAsAPersonWouldWriteThem) {
    const Table table = patients();
    EXPECT_EQ(table.at("age").text(0), "30");
    EXPECT_EQ(table.at("age").text(2), "");
    EXPECT_EQ(table.at("Sex").text(0), "M");
    EXPECT_EQ(table.at("smoker").text(1), "true");
    EXPECT_TRUE(table.at("smoker").is_missing(0));
    EXPECT_EQ(name_of(table.at("Sex").type()), "categorical");
}

TEST(Table, SaysWhichColumnsThereAreWhenOneIsNot) {
    const auto missing = [](const Table& table, const char* name) {
        return test::sentence_of(ErrorKind::data, [&] { (void)table.at(name); });
    };
    EXPECT_EQ(missing(patients(), "weight"), "train.csv has no column 'weight' (it has age, Sex, smoker)");
    EXPECT_EQ(missing(patients(), "sex"),
              "train.csv has no column 'sex' (it has age, Sex, smoker); did you mean 'Sex'?");
    EXPECT_EQ(missing(patients(), "smokre"),
              "train.csv has no column 'smokre' (it has age, Sex, smoker); did you mean 'smoker'?");
    std::vector<Column> many;
    for (int i = 0; i < 14; ++i) many.push_back(test::numbers(fmt::format("c{}", i), {}));
    EXPECT_EQ(missing(Table(many), "dose"),
              "the table has no column 'dose' (it has c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, ...)");
    EXPECT_EQ(missing(Table(), "dose"), "the table has no column 'dose'");
}

TEST(Table, TakesRowsWithTheirLines) {
    const std::vector<std::size_t> rows = {2, 0, 0};
    const Table taken = patients().take(rows);
    EXPECT_EQ(taken.rows(), 3u);
    EXPECT_EQ(taken.at("Sex").text(0), "F");
    EXPECT_EQ(taken.where(0), "train.csv:5");
    EXPECT_EQ(taken.where(2), "train.csv:2");
}

TEST(Table, SelectsColumnsInTheOrderAskedFor) {
    const std::vector<std::string> names = {"smoker", "age"};
    const Table selected = patients().select(names);
    EXPECT_EQ(selected.columns()[0].name, "smoker");
    EXPECT_EQ(selected.columns()[1].name, "age");
    EXPECT_EQ(selected.where(1), "train.csv:3");
}

TEST(Table, CountsRowsFromOneWhereThereAreNoLines) {
    EXPECT_EQ(Table({test::numbers("a", {1, 2})}).where(1), "row 2");
    EXPECT_EQ(Table({test::numbers("a", {1, 2})}, {"frame", {}}).where(1), "frame: row 2");
}

TEST(Table, RefusesColumnsThatDoNotFit) {
    EXPECT_EQ(
        test::sentence_of(ErrorKind::usage, [] { (void)Table({test::numbers("a", {1}), test::numbers("b", {1, 2})}); }),
        "the table: column 'b' has 2 rows, but column 'a' has 1");
    EXPECT_EQ(
        test::sentence_of(ErrorKind::usage, [] { (void)Table({test::numbers("a", {}), test::numbers("a", {})}); }),
        "the table: two columns are called 'a'");
}

// By looking through all of them for each, this took minutes.
TEST(Table, FindsEachOfVeryManyColumns) {
    std::vector<Column> columns;
    for (int i = 0; i < 300'000; ++i) columns.push_back(test::numbers(fmt::format("c{}", i), {1}));
    const Table table(std::move(columns));
    for (const Column& column : table.columns()) ASSERT_EQ(table.find(column.name), &column);
    EXPECT_EQ(table.find("c"), nullptr);
    EXPECT_EQ(Table().find("c"), nullptr);
}

}  // namespace
}  // namespace polyrx
