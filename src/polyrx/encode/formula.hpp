// SPDX-License-Identifier: Apache-2.0
// Arithmetic formulas of features: "(140 - age) * weight / (72 * creatinine)".
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
        name,     // a feature or derived feature; in a comparison with a category also the category
        missing,  // 1 if the feature `name` is missing, else 0; never missing itself
        negate,
        add,  // the next five are binary
        subtract,
        multiply,
        divide,
        power,
        log,
        exp,
        sqrt,
        min,  // two or more operands, like max
        max,
    };
    Kind kind = Kind::number;
    double number = 0;
    std::string name = {};
    std::vector<Formula> operands = {};
    // 1-based position in the source text; 0 if none. Ignored by comparisons.
    int line = 0;
    int column = 0;

    friend bool operator==(const Formula& a, const Formula& b) {
        return a.kind == b.kind && a.number == b.number && a.name == b.name && a.operands == b.operands;
    }
};

// The names in the formula, each once, in order of appearance.
[[nodiscard]] std::vector<std::string> names_in(const Formula& formula);

// True if the formula contains names.
[[nodiscard]] bool has_names(const Formula& formula);

// The number of names, numbers and operators.
[[nodiscard]] std::size_t count_parts(const Formula& formula);

// Evaluates rows first .. first+count-1; NaN if an operand is missing. Names are numeric or boolean columns; booleans
// count as 0 and 1. Throws a data error that names the row if the result is undefined (division by zero, logarithm of
// 0) or not finite. `what` names the formula in messages.
[[nodiscard]] std::vector<double> evaluate(const Formula& formula, const Table& table, std::size_t first,
                                           std::size_t count, std::string_view what);

struct Range {
    double lower = 0;
    double upper = 0;
};

// Bounds of the formula, including rounding, if each name lies in range_of_name(name). Infinite if the formula can be
// unbounded or undefined.
[[nodiscard]] Range range_of(const Formula& formula, const std::function<Range(const std::string&)>& range_of_name);

}  // namespace polyrx
