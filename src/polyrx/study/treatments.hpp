// SPDX-License-Identifier: Apache-2.0
// Reads the treatment labels and the treatment of each row from a column.
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

// `column` must have no missing cells. The labels are the declared ones, in that order. If none are declared, they are
// the values that occur: numbers ascending, false before true, categories in their order.
//
// Throws a data error for an undeclared value, for more than most_treatments, for only one treatment, and for a
// treatment with fewer than `least_rows` rows (0 to 2).
[[nodiscard]] Treatments treatments_in(const Table& table, const Column& column, std::span<const std::string> declared,
                                       std::size_t least_rows = 2);

}  // namespace polyrx
