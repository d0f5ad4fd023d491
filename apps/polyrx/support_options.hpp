// SPDX-License-Identifier: Apache-2.0
// Options for support, rules and unsupported outcomes that several verbs share with fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/rules/bind.hpp"
#include "polyrx/rules/support.hpp"

namespace polyrx::cli {

struct SupportArguments {
    std::optional<BeyondSupport> beyond;
    std::optional<double> epsilon;
};

// --beyond-support and --support
[[nodiscard]] std::vector<Option> support_options(SupportArguments& target);
// --outcome-range
[[nodiscard]] Option outcome_range_option(std::vector<std::string>& target);
// --when-missing, without its default
[[nodiscard]] Option when_missing_option(std::optional<WhenMissing>& target);

// Epsilon, or empty for extrapolation. The default is that of the recipe. Throws a usage error if --support is combined
// with extrapolation.
[[nodiscard]] std::optional<double> epsilon_for(const SupportArguments& arguments, std::optional<double> of_recipe);

// Parses --outcome-range A,B; empty if not given. Throws a usage error unless these are two ascending numbers.
[[nodiscard]] std::optional<OutcomeRange> parse_outcome_range(const std::vector<std::string>& given);

}  // namespace polyrx::cli
