// SPDX-License-Identifier: Apache-2.0
// The options that say how a file of observations is to be read, for the verbs that learn from one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx::cli {

struct ObservedData {
    std::string path;
    Roles roles;
    Objective objective = Objective::min;
    std::string schema;
    std::optional<std::vector<std::string>> missing;
};

[[nodiscard]] Option data_positional(ObservedData& target);
// --group
[[nodiscard]] Option group_option(ObservedData& target);
// --propensities
[[nodiscard]] Option propensities_option(ObservedData& target);
// --objective
[[nodiscard]] Option objective_option(ObservedData& target);
// --weight
[[nodiscard]] Option weight_option(ObservedData& target);
// --unseen
[[nodiscard]] Option unseen_option(Unseen& target);
// --treatment, --outcome, --objective, --weight, --group, --propensities, --features, --ignore, --schema, --missing.
[[nodiscard]] std::vector<Option> data_options(ObservedData& target);

// Throws a usage error if the data and the schema are both standard input.
void check_inputs(const ObservedData& data);

// The schema of the options, with what means "missing".
[[nodiscard]] Schema schema_for(const ObservedData& data, const Progress& progress);

}  // namespace polyrx::cli
