// SPDX-License-Identifier: Apache-2.0
// Known probabilities of treatment, as in a randomized trial: constants, or a column for each treatment.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct KnownDesign {
    Matrix propensities;               // rows x treatments
    std::vector<std::string> columns;  // that they were read from; empty for constants
};

// `given` has a text for each treatment, in their order, or as LABEL=TEXT in any: all numbers (0.25, 1/3), or all names
// of columns. `treatment` is what each row received.
//
// Throws a usage error where there are not as many as treatments. Throws a data error unless every row's probabilities
// are from 0 to 1 and sum to 1 up to 1e-6, and that of the treatment it received is above 0.
[[nodiscard]] KnownDesign design_of(const Table& table, std::span<const std::string> given,
                                    const std::vector<std::string>& treatments, std::span<const int> treatment);

// The columns that `given` names; empty for constants.
[[nodiscard]] std::vector<std::string> design_columns(std::span<const std::string> given,
                                                      const std::vector<std::string>& treatments);

}  // namespace polyrx
