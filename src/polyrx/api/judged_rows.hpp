// SPDX-License-Identifier: Apache-2.0
// The rows on which policies are evaluated: observations and additional columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/policy_source.hpp"

namespace polyrx {

enum class WhichRows { automatic, held_out, all };

[[nodiscard]] std::string_view name_of(WhichRows which);

// The roles of the columns, for policies without a model.
struct StudyRoles {
    Roles roles;
    Objective objective = Objective::min;
    Schema schema = {};
};

struct JudgedRows {
    Observations observations;
    Table columns;  // additional columns of the same rows
    Encoder encoder;
    bool larger_is_better = false;
    bool held_out = false;  // the model was not fitted on them, as far as its sketch shows
    std::string words;      // describes which rows these are
};

// `also` names columns besides features, treatment and outcome. With a model, the file is read by the model's roles,
// and only weight, group and propensities come from `study`. If `study` has no group, the model's group applies.
// Without a model, all roles come from `study`.
[[nodiscard]] JudgedRows judged_rows(const PolicySource& policy, const DataText& data, const StudyRoles& study,
                                     const std::vector<ColumnSchema>& also, WhichRows which, const Progress& progress);

// The features of the same rows for another policy's model. Without a model, the features in `rows`. Throws a data
// error that names the model and the column if a feature is missing.
[[nodiscard]] Table features_for(const PolicySource& policy, const DataText& data, const JudgedRows& rows,
                                 const Progress& progress);

// The values of a column as groups. Throws a data error if there are more than `most`.
[[nodiscard]] Partition values_of(const JudgedRows& rows, const std::string& column, std::size_t most);

}  // namespace polyrx
