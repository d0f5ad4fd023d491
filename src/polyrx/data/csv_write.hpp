// SPDX-License-Identifier: Apache-2.0
// A Table to CSV that reads back as the same Table: numbers in their shortest exact form.
#pragma once

#include <functional>
#include <string_view>

#include "polyrx/data/table.hpp"

namespace polyrx {

// Calls `write` with the text in pieces of about a megabyte.
void write_csv(const Table& table, const std::function<void(std::string_view)>& write);

}  // namespace polyrx
