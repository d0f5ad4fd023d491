// SPDX-License-Identifier: Apache-2.0
// Known propensities, as in a randomized trial: constants, or one column per treatment.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct KnownDesign {
    Matrix propensities;               // rows x treatments
    std::vector<std::string> columns;  // source columns; empty for constants
};

// `given` has one value per treatment, in their order or as LABEL=VALUE in any order. All are numbers (0.25, 1/3) or
// all are column names. `treatment` is what each row received.
//
// Throws a usage error if the number of values is wrong. Throws a data error unless the propensities of each row are in
// [0, 1], sum to 1 up to 1e-6, and are above 0 for the received treatment.
[[nodiscard]] KnownDesign design_of(const Table& table, std::span<const std::string> given,
                                    const std::vector<std::string>& treatments, std::span<const int> treatment);

// The columns named in `given`; empty for constants.
[[nodiscard]] std::vector<std::string> design_columns(std::span<const std::string> given,
                                                      const std::vector<std::string>& treatments);

}  // namespace polyrx
