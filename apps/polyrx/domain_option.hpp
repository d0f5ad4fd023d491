// SPDX-License-Identifier: Apache-2.0
// The option --domain of verbs that prove statements about all rows.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace polyrx::cli {

[[nodiscard]] Option domain_option(std::vector<std::string>& target);

}  // namespace polyrx::cli
