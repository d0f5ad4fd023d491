// SPDX-License-Identifier: Apache-2.0
// Reading a data file as a policy needs it.
#pragma once

#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/data/schema.hpp"
#include "polyrx/data/table.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx::cli {

// The policy's features under its own schema, and besides them the columns of `also` (of the types it declares).
// Throws a data error that names a column which the file lacks.
[[nodiscard]] Table read_for(const Policy& policy, const std::string& path, const std::vector<ColumnSchema>& also,
                             const Progress& progress);

}  // namespace polyrx::cli
