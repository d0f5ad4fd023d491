// SPDX-License-Identifier: Apache-2.0
// The options of a fit from a recipe and what is given in place of its own settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// What was asked for by name. A recipe sets everything else.
struct FitRequest {
    std::optional<Recipe> recipe = {};  // none: auto, or fast where the hidden layers are given
    // Of option_fields.hpp, by name; the last of a name counts. A bare flag is "yes".
    std::vector<std::pair<std::string, std::string>> given = {};
    bool recommend = true;  // compare the policy with current practice
    Rules rules = {};
    std::string rules_source = {};  // the file that they are from, if there is one

    [[nodiscard]] bool has(std::string_view name) const;
};

// Throws a usage error for a value out of range, and for an option that would do nothing.
[[nodiscard]] FitOptions requested_options(const FitRequest& request);

}  // namespace polyrx
