// SPDX-License-Identifier: Apache-2.0
// A row of data as JSON: numbers and truth values as such, a missing value as null.
#pragma once

#include "polyrx/core/json/json.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// The first row of the table.
[[nodiscard]] Json row_json(const Table& row);

}  // namespace polyrx
