// SPDX-License-Identifier: Apache-2.0
// A table of typed columns, as read from a data file.
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
    std::vector<std::int32_t> codes;  // index into categories, or -1
};

struct BooleanColumn {
    static constexpr std::int8_t missing = -1;
    std::vector<std::int8_t> values;  // 0, 1 or -1
    // The file's words for false and true: a treatment named "No" must be prescribed as "No".
    std::string false_word = "false";
    std::string true_word = "true";
};

struct Column {
    std::string name;
    std::variant<NumericColumn, CategoricalColumn, BooleanColumn> values;

    [[nodiscard]] ColumnType type() const { return static_cast<ColumnType>(values.index()); }
    [[nodiscard]] std::size_t rows() const;
    [[nodiscard]] bool is_missing(std::size_t row) const;
    // The cell as it would appear in a file; empty where missing.
    [[nodiscard]] std::string text(std::size_t row) const;
};

// Where the rows come from, for messages that name a line.
struct TableSource {
    std::string name;                  // "train.csv"; empty for a table made in memory
    std::vector<std::uint32_t> lines;  // 1-based line of each row; empty for a table made in memory
    // All columns of the file, including those not read; empty for a table made in memory.
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
    // nullptr if not found.
    [[nodiscard]] const Column* find(std::string_view name) const;
    // Throws a data error that lists the existing columns.
    [[nodiscard]] const Column& at(std::string_view name) const;

    // "train.csv:118" or "row 117", to prefix a message about that row.
    [[nodiscard]] std::string where(std::size_t row) const;
    // "train.csv" or "the table", to prefix a message about the whole table.
    [[nodiscard]] std::string where() const;

    // The given rows, in the given order.
    [[nodiscard]] Table take(std::span<const std::size_t> rows) const;
    // The given columns, in the given order; throws like at().
    [[nodiscard]] Table select(std::span<const std::string> names) const;

private:
    std::vector<Column> columns_;
    TableSource source_;
    std::shared_ptr<const NameIndex> places_;  // of the columns
};

}  // namespace polyrx
