// SPDX-License-Identifier: Apache-2.0
// --domain, which verbs that claim something about all rows have.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"
#include "polyrx/policy/policy_domain.hpp"

namespace polyrx::cli {

[[nodiscard]] Option domain_option(std::vector<std::string>& target);
[[nodiscard]] Domain domain_for(const Policy& policy, const std::vector<std::string>& overrides);
// The domain of a tree: see tree_domain().
[[nodiscard]] Domain tree_domain_for(const Policy& policy, const std::vector<std::string>& overrides);

}  // namespace polyrx::cli
