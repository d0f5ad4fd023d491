// SPDX-License-Identifier: Apache-2.0
// Reads a data file as a policy requires.
#pragma once

#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// The uncompressed text of a data file. A pipe can be read only once, but the text can be parsed several times.
struct DataText {
    std::string name;
    std::string bytes;
};

// "-" reads standard input.
[[nodiscard]] DataText read_data(const std::string& path, const Progress& progress);

// Parses the policy's features by its schema, and the columns in `also` by their types. Throws a data error that names
// a missing column.
[[nodiscard]] Table parse_for(const Policy& policy, const DataText& data, const std::vector<ColumnSchema>& also,
                              const Progress& progress);

// Parses these columns in this order as text, without quotes and surrounding spaces.
[[nodiscard]] Table parse_as_text(const DataText& data, const std::vector<std::string>& columns,
                                  const Progress& progress);

}  // namespace polyrx
