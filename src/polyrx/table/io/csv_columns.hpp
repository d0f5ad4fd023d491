// SPDX-License-Identifier: Apache-2.0
// Collects the cells of one CSV column and infers its type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/table/category_codes.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// An undeclared column is numeric until a cell is not a number. It then becomes text, and the cells already stored as
// numbers must be read again.
class CsvColumn {
public:
    // Pointers and spans must outlive the object. `rows` is an upper bound, used to reserve memory.
    CsvColumn(std::string name, const ColumnSchema* schema, std::span<const std::string> missing_texts,
              std::size_t rows);

    [[nodiscard]] const std::string& name() const { return name_; }

    // True if add_number() may be used for the next cell.
    [[nodiscard]] bool takes_numbers() const { return kind_ == Kind::numbers; }

    // Both add the next row's cell. They return false if the cell is invalid; error() explains why.
    [[nodiscard]] bool add(std::string_view text);
    [[nodiscard]] bool add_number(double value) {
        had_value_ = true;
        numbers_.push_back(value);
        return !checked_ || check(value);
    }
    [[nodiscard]] const std::string& error() const { return error_; }

    // The number of leading rows that add_again() must add again.
    [[nodiscard]] std::size_t rows_to_read_again() const { return reread_; }
    [[nodiscard]] bool add_again(std::size_t row, std::string_view text);

    // Returns the finished column, with inferred categories in natural order. Leaves the object empty.
    [[nodiscard]] Column take();

private:
    enum class Kind { numbers, truths, texts };

    [[nodiscard]] bool is_missing(std::string_view text) const;
    [[nodiscard]] bool check(double value);
    [[nodiscard]] bool add_as_number(std::string_view text);
    [[nodiscard]] bool add_as_truth(std::string_view text);
    // False if the text is not a valid category.
    [[nodiscard]] bool encode(std::string_view text, std::int32_t& code);
    bool fail(std::string sentence);
    void turn_to_texts();
    [[nodiscard]] std::optional<BooleanColumn> as_truths() const;

    std::string name_;
    const ColumnSchema* schema_;
    std::span<const std::string> missing_texts_;
    std::size_t rows_;
    Kind kind_ = Kind::numbers;
    bool inferred_ = true;  // the type is inferred
    bool declared_categories_ = false;
    bool checked_ = false;  // there are bounds to check
    bool had_value_ = false;
    std::size_t reread_ = 0;
    std::string error_;
    std::vector<double> numbers_;
    std::vector<std::int8_t> truths_;
    std::vector<std::int32_t> codes_;
    CategoryCodes categories_;
};

}  // namespace polyrx
