// SPDX-License-Identifier: Apache-2.0
// Writes a Table as CSV that reads back as the same Table. Numbers use their shortest exact form.
#pragma once

#include <functional>
#include <string_view>

#include "polyrx/table/table.hpp"

namespace polyrx {

// Calls `write` with pieces of about a megabyte. Missing cells are written as NA. Text is quoted only where necessary,
// so categories that look like numbers, truth values or missing values need a schema to read back. An empty category is
// written as "", which readers cannot distinguish from a missing cell.
void write_csv(const Table& table, const std::function<void(std::string_view)>& write);

}  // namespace polyrx
