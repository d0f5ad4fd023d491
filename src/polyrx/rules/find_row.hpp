// SPDX-License-Identifier: Apache-2.0
// Is there a row of a domain for which a condition holds?
#pragma once

#include <optional>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

struct FoundRow {
    enum class Answer {
        found,   // `row` is in the domain, and the condition holds for it
        none,    // there is none, unless it lies within rounding of a border
        unknown  // the search was given up, or came to a border too thin for numbers
    };
    Answer answer = Answer::none;
    Vector row = {};
};

// Comparisons of one input narrow the box, exactly. Those of sums are for linear programs, whose whole numbers, groups
// and fills are found by cases. The search is given up after so many boxes.
[[nodiscard]] FoundRow find_row(const Domain& domain, const BoundCondition& condition, int most_boxes = 20'000);

}  // namespace polyrx
