// SPDX-License-Identifier: Apache-2.0
// --domain, which verbs that claim something about all rows have.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"
#include "polyrx/encode/input_domain.hpp"

namespace polyrx::cli {

[[nodiscard]] Option domain_option(std::vector<std::string>& target);
[[nodiscard]] std::vector<DomainOverride> parse_domain(const std::vector<std::string>& overrides);

}  // namespace polyrx::cli
