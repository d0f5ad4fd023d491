// SPDX-License-Identifier: Apache-2.0
// Rules as a user writes them: "if bmi > 30 then Medium, High". Names are not looked up yet; see bind.hpp.
#pragma once

#include <string>
#include <vector>

#include "polyrx/encode/formula.hpp"

namespace polyrx {

enum class Relation { less, less_equal, greater, greater_equal, equal, not_equal };

// A comparison, or conditions joined by a word. "18 <= age < 65" is two comparisons joined by `and`.
struct Condition {
    enum class Kind { comparison, all_of, any_of, negation };
    Kind kind = Kind::comparison;
    // A comparison. Of a category: both sides are single names.
    Formula left = {};
    Relation relation = Relation::less;
    Formula right = {};
    // The others: two or more operands, a negation has one.
    std::vector<Condition> operands = {};

    friend bool operator==(const Condition&, const Condition&) = default;
};

// "if CONDITION then A, B" allows A and B only; "then not A" allows all but A.
struct Rule {
    Condition condition;
    bool exclude = false;
    std::vector<std::string> treatments;
    // No part of its value. Of the file, 1-based; 0 if it was not read from one.
    int line = 0;
    std::vector<int> treatment_columns = {};  // one for each treatment, if there is a line

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
    std::vector<Let> lets;  // each may use those before it
    std::vector<Rule> rules;
    // No part of their value: the text that they were read from, for what is found wrong later. JSON has none.
    std::vector<std::string> lines = {};

    friend bool operator==(const Rules& a, const Rules& b) { return a.lets == b.lets && a.rules == b.rules; }
};

// Both, the second of which has lines to show.
[[nodiscard]] inline Rules joined(Rules first, const Rules& second) {
    first.lets.insert(first.lets.end(), second.lets.begin(), second.lets.end());
    first.rules.insert(first.rules.end(), second.rules.begin(), second.rules.end());
    first.lines = second.lines;
    return first;
}

}  // namespace polyrx
