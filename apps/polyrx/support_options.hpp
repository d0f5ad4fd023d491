// SPDX-License-Identifier: Apache-2.0
// --beyond-support and --support, for the verbs that learn policies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/rules/support.hpp"

namespace polyrx::cli {

struct SupportArguments {
    std::optional<BeyondSupport> beyond;
    std::optional<double> epsilon;
};

[[nodiscard]] std::vector<Option> support_options(SupportArguments& target);

// Epsilon, or none for extrapolation. What is not given is as the recipe has it. Throws a usage error for --support
// where treatments are prescribed beyond support.
[[nodiscard]] std::optional<double> epsilon_for(const SupportArguments& arguments, std::optional<double> of_recipe);

// Of --outcome-range A,B; none where it was not given. Throws a usage error for anything but two numbers in order.
[[nodiscard]] std::optional<OutcomeRange> parse_outcome_range(const std::vector<std::string>& given);

}  // namespace polyrx::cli
