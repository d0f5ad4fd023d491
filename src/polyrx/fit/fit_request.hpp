// SPDX-License-Identifier: Apache-2.0
// Builds the options of a fit from a recipe and the settings that override it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// Options that were given by name. The recipe sets everything else.
struct FitRequest {
    std::optional<Recipe> recipe = {};  // none: auto, or fast if the hidden layers are given
    // Names of option_fields.hpp; the last value of a name counts. A bare flag is "yes".
    std::vector<std::pair<std::string, std::string>> given = {};
    bool recommend = true;  // compare the policy with current practice
    Rules rules = {};
    std::string rules_source = {};  // the file of the rules, if there is one

    [[nodiscard]] bool has(std::string_view name) const;
};

// Throws a usage error for a value out of range, and for an option that would have no effect.
[[nodiscard]] FitOptions requested_options(const FitRequest& request);

}  // namespace polyrx
