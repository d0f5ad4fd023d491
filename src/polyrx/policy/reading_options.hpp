// SPDX-License-Identifier: Apache-2.0
// How to read a data file for a policy.
#pragma once

#include "polyrx/policy/policy.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {

// How a data file must be read to mean to the policy what its training file did: the features, with their types, bounds
// and texts for "missing". Prescribe for `read_csv(path, reading_options(policy))`.
[[nodiscard]] CsvOptions reading_options(const Policy& policy);

}  // namespace polyrx
