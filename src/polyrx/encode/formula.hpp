// SPDX-License-Identifier: Apache-2.0
// Arithmetic of features: "(140 - age) * weight / (72 * creatinine)".
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

struct Formula {
    enum class Kind {
        number,
        name,     // of a feature, of a derived feature, or (in a comparison of a category) of a category
        missing,  // 1 if the feature `name` is missing and else 0; never missing itself
        negate,
        add,  // the next five have two operands
        subtract,
        multiply,
        divide,
        power,
        log,
        exp,
        sqrt,
        min,  // two operands or more, as max
        max,
    };
    Kind kind = Kind::number;
    double number = 0;
    std::string name = {};
    std::vector<Formula> operands = {};
    // Where it begins in the text that it was read from, 1-based; 0 if it was not. No part of its value.
    int line = 0;
    int column = 0;

    friend bool operator==(const Formula& a, const Formula& b) {
        return a.kind == b.kind && a.number == b.number && a.name == b.name && a.operands == b.operands;
    }
};

// The names that it mentions, each once, in the order of the text.
[[nodiscard]] std::vector<std::string> names_in(const Formula& formula);

// Whether it mentions any.
[[nodiscard]] bool has_names(const Formula& formula);

// How many names, numbers and operators it has.
[[nodiscard]] std::size_t count_parts(const Formula& formula);

// The value for rows first .. first+count-1 of the table, NaN where a number that it needs is missing. Names are those
// of numeric columns, and of boolean ones, which count as 0 and 1. Throws a data error that names the row where there
// is no value (a division by zero, the logarithm of 0) or none that is finite; `what` is how messages call the formula.
[[nodiscard]] std::vector<double> evaluate(const Formula& formula, const Table& table, std::size_t first,
                                           std::size_t count, std::string_view what);

struct Range {
    double lower = 0;
    double upper = 0;
};

// Bounds of the value where the names lie in the ranges that `range_of` says, rounding included; infinite where the
// formula can be without bound, or have no value.
[[nodiscard]] Range range_of(const Formula& formula, const std::function<Range(const std::string&)>& range_of_name);

}  // namespace polyrx
