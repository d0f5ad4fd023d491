// SPDX-License-Identifier: Apache-2.0
// A Table to CSV that reads back as the same Table: numbers in their shortest exact form.
#pragma once

#include <functional>
#include <string_view>

#include "polyrx/table/table.hpp"

namespace polyrx {

// Calls `write` with the text in pieces of about a megabyte. A missing cell is written as NA. Texts are quoted only
// where they must be, so what reads back as another type needs a schema: categories that look like numbers or truth
// values, or that mean missing. An empty category is written as "", which no reader can tell from a missing cell.
void write_csv(const Table& table, const std::function<void(std::string_view)>& write);

}  // namespace polyrx
