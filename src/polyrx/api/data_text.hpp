// SPDX-License-Identifier: Apache-2.0
// Reading a data file as a policy needs it.
#pragma once

#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// A data file's text, unpacked: what may come from a pipe can be read once only, but parsed more than once.
struct DataText {
    std::string name;
    std::string bytes;
};

// "-" reads standard input.
[[nodiscard]] DataText read_data(const std::string& path, const Progress& progress);

// The policy's features under its own schema, and besides them the columns of `also` (of the types it declares).
// Throws a data error that names a column which the file lacks.
[[nodiscard]] Table parse_for(const Policy& policy, const DataText& data, const std::vector<ColumnSchema>& also,
                              const Progress& progress);

// These columns in this order, every cell as it is written (less its quotes, and spaces alone).
[[nodiscard]] Table parse_as_text(const DataText& data, const std::vector<std::string>& columns,
                                  const Progress& progress);

}  // namespace polyrx
