// SPDX-License-Identifier: Apache-2.0
// Options to read a data file for a policy.
#pragma once

#include "polyrx/policy/policy.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {

// Reads a file like the training file: the features with their types, bounds and texts for missing values. Prescribe
// for `read_csv(path, reading_options(policy))`.
[[nodiscard]] CsvOptions reading_options(const Policy& policy);

}  // namespace polyrx
