// SPDX-License-Identifier: Apache-2.0
// --domain, which verbs that claim something about all rows have.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace polyrx::cli {

[[nodiscard]] Option domain_option(std::vector<std::string>& target);

}  // namespace polyrx::cli
