// SPDX-License-Identifier: Apache-2.0
// Arithmetic of features: "(140 - age) * weight / (72 * creatinine)".
#pragma once

#include <string>
#include <vector>

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

}  // namespace polyrx
