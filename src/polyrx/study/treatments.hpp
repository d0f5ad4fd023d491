// SPDX-License-Identifier: Apache-2.0
// Which treatments a column holds, and which of them each row was given.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx {

inline constexpr std::size_t most_treatments = 64;

struct Treatments {
    std::vector<std::string> labels;
    std::vector<int> given;  // by row; index into labels
};

// `column` has no missing cells. The labels are the declared ones, in that order; without any, the values that occur:
// numbers ascending, false before true, categories in their order. Throws a data error for an undeclared value, for
// more than most_treatments, for one treatment only, and for a treatment with fewer rows than `least_rows` (0 to 2).
[[nodiscard]] Treatments treatments_in(const Table& table, const Column& column, std::span<const std::string> declared,
                                       std::size_t least_rows = 2);

}  // namespace polyrx
