// SPDX-License-Identifier: Apache-2.0
// Searches for a row of a domain that satisfies a condition.
#pragma once

#include <span>

#include "polyrx/core/progress.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

struct FoundRow {
    enum class Answer {
        found,   // `row` is in the domain and satisfies the condition
        none,    // there is no such row, except perhaps within rounding of a border
        unknown  // the search was stopped, or met a border that is too thin for floating point
    };
    Answer answer = Answer::none;
    Vector row = {};
};

// Comparisons of one input narrow the box exactly. Comparisons of sums use linear programs, with cases for whole
// numbers, groups and fills. The search stops after `most_boxes` boxes.
inline constexpr int usual_boxes = 20'000;
[[nodiscard]] FoundRow find_row(const Domain& domain, const BoundCondition& condition, const Progress& progress = {},
                                int most_boxes = usual_boxes);

// Searches for a row that satisfies all conditions.
[[nodiscard]] FoundRow find_row(const Domain& domain, std::span<const BoundCondition* const> conditions,
                                const Progress& progress = {}, int most_boxes = usual_boxes);

}  // namespace polyrx
