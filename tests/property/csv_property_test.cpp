// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "polyrx/core/rng.hpp"
#include "polyrx/core/text/natural_order.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "tests/support/slow_csv.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

template <std::size_t n>
std::string random_text(Rng& rng, const std::array<std::string_view, n>& alphabet, std::size_t longest) {
    std::string text;
    for (std::size_t length = rng.below(longest + 1); length > 0; --length) text += alphabet[rng.below(n)];
    return text;
}

constexpr std::array<std::string_view, 10> csv_pieces = {",", ",", "\"", "\"", "\n", "\r\n", "a", "1", " ", "\r"};
constexpr std::array<std::string_view, 12> text_pieces = {"a",  "B",  "7",        "10",           " ",  ",",
                                                          "\"", "\n", "\xc3\xa9", "\xe2\x82\xac", "\r", ";"};

// The rows below the header as the slow twin sees them, if they fit a header of that many columns.
std::optional<std::vector<std::vector<std::string>>> expected_rows(const std::string& text, std::size_t columns) {
    auto rows = test::slow_csv(text, ',');
    if (!rows) return std::nullopt;
    rows->erase(rows->begin());
    for (auto& row : *rows) {
        if (row.size() != columns) return std::nullopt;
        for (auto& cell : row)
            if (trimmed(cell).empty()) cell.clear();
    }
    return rows;
}

TEST(CsvReaderProperty, AgreesWithTheSlowTwinOnRandomTexts) {
    CsvOptions options;
    options.schema.missing.emplace();
    for (const char* name : {"x", "y"})
        options.schema.columns.push_back({.name = name, .type = ColumnType::categorical});
    Rng rng(1, Draw::test);
    int readable = 0;
    for (int i = 0; i < 40'000; ++i) {
        const std::size_t columns = 1 + rng.below(2);
        const std::string text = (columns == 1 ? "x\n" : "x,y\n") + random_text(rng, csv_pieces, columns == 1 ? 8 : 14);
        const auto expected = expected_rows(text, columns);
        std::optional<std::vector<std::vector<std::string>>> found;
        try {
            const Table table = parse_csv(text, "random.csv", options);
            found.emplace(table.rows());
            for (std::size_t row = 0; row < table.rows(); ++row)
                for (const Column& column : table.columns()) (*found)[row].push_back(column.text(row));
        } catch (const Error& e) {
            ASSERT_EQ(e.kind(), ErrorKind::data);
        }
        ASSERT_EQ(found, expected) << ::testing::PrintToString(text);
        readable += expected.has_value() && !expected->empty();
    }
    EXPECT_GT(readable, 2000);
}

// What the type inference makes of a column, found the slow way: look at all cells, then decide.
TEST(CsvReaderProperty, InfersTheTypeThatAllCellsTogetherHave) {
    constexpr std::array<std::string_view, 10> cells = {"1", "2.5", "", "NA", "x", "true", "No", "nan", "yes", "-3"};
    Rng rng(2, Draw::test);
    for (int i = 0; i < 20'000; ++i) {
        const std::size_t kinds = 1 + rng.below(cells.size());
        const std::size_t first = rng.below(cells.size());
        std::string text = "a,b\n";
        std::vector<std::string> column;
        for (std::size_t row = rng.below(8); row > 0; --row) {
            column.emplace_back(cells[(first + rng.below(kinds)) % cells.size()]);
            text += column.back() + ",0\n";
        }
        bool numeric = true, true_false = true, yes_no = true;
        for (const std::string& cell : column) {
            if (cell.empty() || cell == "NA") continue;
            numeric = numeric && (parse_number(cell) || cell == "nan");
            true_false = true_false && cell == "true";
            yes_no = yes_no && (cell == "yes" || cell == "No");
        }
        const Column found = parse_csv(text, "random.csv").columns()[0];
        ASSERT_EQ(found.type(), numeric                ? ColumnType::numeric
                                : true_false || yes_no ? ColumnType::boolean
                                                       : ColumnType::categorical)
            << text;
        for (std::size_t row = 0; row < column.size(); ++row) {
            const bool missing = column[row].empty() || column[row] == "NA" || (numeric && column[row] == "nan");
            ASSERT_EQ(found.is_missing(row), missing) << text;
            if (missing || found.type() == ColumnType::boolean) continue;
            ASSERT_EQ(found.text(row), column[row]) << text;
        }
    }
}

Table random_table(Rng& rng) {
    const std::size_t rows = rng.below(12);
    std::vector<Column> columns;
    std::set<std::string> names;
    for (std::size_t i = 1 + rng.below(4); i > 0; --i) {
        std::string name = random_text(rng, text_pieces, 4);
        if (trimmed(name).empty() || !names.insert(name).second) continue;
        if (rng.bernoulli(.4)) {
            std::vector<double> values;
            for (std::size_t row = 0; row < rows; ++row)
                values.push_back(rng.bernoulli(.2) ? NumericColumn::missing
                                 : rng.bernoulli(.3)
                                     ? static_cast<double>(rng.below(100)) - 50
                                     : std::ldexp(rng.normal(), static_cast<int>(rng.below(200)) - 100));
            columns.push_back(test::numbers(name, values));
        } else if (rng.bernoulli(.3)) {
            std::vector<std::int8_t> values;
            for (std::size_t row = 0; row < rows; ++row) values.push_back(static_cast<std::int8_t>(rng.below(3)) - 1);
            columns.push_back(test::truths(name, values));
        } else {
            std::vector<std::string> categories = {"a"};
            for (int c = 0; c < 4; ++c) {
                const std::string category = random_text(rng, text_pieces, 6);
                if (!trimmed(category).empty() && std::ranges::find(categories, category) == categories.end())
                    categories.push_back(category);
            }
            std::vector<std::int32_t> codes;
            for (std::size_t row = 0; row < rows; ++row)
                codes.push_back(static_cast<std::int32_t>(rng.below(categories.size() + 1)) - 1);
            columns.push_back(test::texts(name, categories, codes));
        }
    }
    if (columns.empty()) columns.push_back(test::numbers("x", {1}));
    return Table(columns);
}

TEST(CsvWriterProperty, WritesWhatReadsBackAsTheSameTable) {
    Rng rng(3, Draw::test);
    for (int i = 0; i < 5000; ++i) {
        const Table table = random_table(rng);
        std::string text;
        write_csv(table, [&](std::string_view piece) { text += piece; });
        CsvOptions options;
        options.schema = test::schema_of(table);
        ASSERT_TRUE(test::same_values(parse_csv(text, "random.csv", options), table)) << text;
    }
}

TEST(NaturalOrderProperty, IsAStrictTotalOrder) {
    constexpr std::array<std::string_view, 9> pieces = {"0", "1", "2", "9", "a", "b", " ", ":", "/"};
    Rng rng(4, Draw::test);
    for (int i = 0; i < 200'000; ++i) {
        const std::string a = random_text(rng, pieces, 4);
        const std::string b = random_text(rng, pieces, 4);
        const std::string c = random_text(rng, pieces, 4);
        ASSERT_FALSE(natural_less(a, a));
        ASSERT_EQ(natural_less(a, b) + natural_less(b, a), a == b ? 0 : 1) << a << "|" << b;
        const bool chained = natural_less(a, b) && natural_less(b, c);
        ASSERT_TRUE(!chained || natural_less(a, c)) << a << "|" << b << "|" << c;
    }
}

}  // namespace
}  // namespace polyrx
