// SPDX-License-Identifier: Apache-2.0
// A table of typed columns: what a data file holds once it has been read.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polyrx {

class NameIndex;

enum class ColumnType { numeric, categorical, boolean };

[[nodiscard]] std::string_view name_of(ColumnType type);

struct NumericColumn {
    static constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> values;  // NaN where missing
};

struct CategoricalColumn {
    static constexpr std::int32_t missing = -1;
    std::vector<std::string> categories;
    std::vector<std::int32_t> codes;  // index into categories
};

struct BooleanColumn {
    static constexpr std::int8_t missing = -1;
    std::vector<std::int8_t> values;  // 0 or 1
    // What the file calls false and true: a treatment called "No" must be prescribed as "No".
    std::string false_word = "false";
    std::string true_word = "true";
};

struct Column {
    std::string name;
    std::variant<NumericColumn, CategoricalColumn, BooleanColumn> values;

    [[nodiscard]] ColumnType type() const { return static_cast<ColumnType>(values.index()); }
    [[nodiscard]] std::size_t rows() const;
    [[nodiscard]] bool is_missing(std::size_t row) const;
    // The cell as a person would write it in a file; empty where missing.
    [[nodiscard]] std::string text(std::size_t row) const;
};

// Where the rows came from, for messages that name a line.
struct TableSource {
    std::string name;                  // "train.csv"; empty for a table made in memory
    std::vector<std::uint32_t> lines;  // of each row, 1-based; empty for a table made in memory
    // Every column of the file, also those that were not read; empty for a table made in memory.
    std::vector<std::string> header = {};
};

// Columns of equal length with distinct names.
class Table {
public:
    Table() = default;
    explicit Table(std::vector<Column> columns, TableSource source = {});

    [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const TableSource& source() const { return source_; }
    // nullptr if there is none.
    [[nodiscard]] const Column* find(std::string_view name) const;
    // Throws a data error that names the column and those there are.
    [[nodiscard]] const Column& at(std::string_view name) const;

    // "train.csv:118" or "row 117", to begin a message about that row.
    [[nodiscard]] std::string where(std::size_t row) const;
    // "train.csv" or "the table", to begin a message about the whole.
    [[nodiscard]] std::string where() const;

    // The same columns, with these rows in this order.
    [[nodiscard]] Table take(std::span<const std::size_t> rows) const;
    // These columns, in this order; throws like at().
    [[nodiscard]] Table select(std::span<const std::string> names) const;

private:
    std::vector<Column> columns_;
    TableSource source_;
    std::shared_ptr<const NameIndex> places_;  // of the columns
};

}  // namespace polyrx
