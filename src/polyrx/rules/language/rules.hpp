// SPDX-License-Identifier: Apache-2.0
// Rules as the user writes them: "if bmi > 30 then Medium, High". bind.hpp resolves the names.
#pragma once

#include <string>
#include <vector>

#include "polyrx/encode/formula.hpp"

namespace polyrx {

enum class Relation { less, less_equal, greater, greater_equal, equal, not_equal };

// A comparison, or conditions joined by and, or, not. "18 <= age < 65" is two comparisons joined by `and`.
struct Condition {
    enum class Kind { comparison, all_of, any_of, negation };
    Kind kind = Kind::comparison;
    // For a comparison. To compare a category, both sides are single names.
    Formula left = {};
    Relation relation = Relation::less;
    Formula right = {};
    // For the other kinds: one operand of a negation, otherwise at least two.
    std::vector<Condition> operands = {};

    friend bool operator==(const Condition&, const Condition&) = default;
};

// "if CONDITION then A, B" allows A and B only; "then not A" allows all but A.
struct Rule {
    Condition condition;
    bool exclude = false;
    std::vector<std::string> treatments;
    // The line in the file, from 1, or 0. Not part of the rule's value.
    int line = 0;
    std::vector<int> treatment_columns = {};  // one per treatment, if the rule has a line

    friend bool operator==(const Rule& a, const Rule& b) {
        return a.condition == b.condition && a.exclude == b.exclude && a.treatments == b.treatments;
    }
};

// "let NAME = FORMULA": a derived feature.
struct Let {
    std::string name;
    Formula formula;
    int line = 0;

    friend bool operator==(const Let& a, const Let& b) { return a.name == b.name && a.formula == b.formula; }
};

struct Rules {
    std::vector<Let> lets;  // each may use earlier ones
    std::vector<Rule> rules;
    // The source text, for later error messages; empty for JSON. Not part of the value.
    std::vector<std::string> lines = {};

    friend bool operator==(const Rules& a, const Rules& b) { return a.lets == b.lets && a.rules == b.rules; }
};

// Joins two sets of rules; the source lines are those of the second.
[[nodiscard]] inline Rules joined(Rules first, const Rules& second) {
    first.lets.insert(first.lets.end(), second.lets.begin(), second.lets.end());
    first.rules.insert(first.rules.end(), second.rules.begin(), second.rules.end());
    first.lines = second.lines;
    return first;
}

}  // namespace polyrx
