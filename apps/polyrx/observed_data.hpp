// SPDX-License-Identifier: Apache-2.0
// Options for reading a file of observations, for verbs that fit or evaluate models.
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
    std::optional<Objective> objective = {};  // minimize if not given
    std::string schema;
    std::optional<std::vector<std::string>> missing;
};

[[nodiscard]] Option data_positional(ObservedData& target);
[[nodiscard]] Option group_option(ObservedData& target);
[[nodiscard]] Option propensities_option(ObservedData& target);
[[nodiscard]] Option objective_option(ObservedData& target);
[[nodiscard]] Option weight_option(ObservedData& target);
[[nodiscard]] Option unseen_option(Unseen& target);
// --treatment, --outcome, --objective, --weight, --group, --propensities, --features, --ignore, --schema, --missing.
[[nodiscard]] std::vector<Option> data_options(ObservedData& target);

// Throws a usage error if the data and the schema are both standard input.
void check_inputs(const ObservedData& data);

// The schema of the options, including the words for missing cells.
[[nodiscard]] Schema schema_for(const ObservedData& data, const Progress& progress);

}  // namespace polyrx::cli
