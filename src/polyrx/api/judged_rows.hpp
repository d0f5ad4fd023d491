// SPDX-License-Identifier: Apache-2.0
// The rows that policies are judged by: observations, and the columns besides them that an evaluation asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/policy_source.hpp"

namespace polyrx {

enum class WhichRows { automatic, held_out, all };

[[nodiscard]] std::string_view name_of(WhichRows which);

// How a file becomes observations where no model says it.
struct StudyRoles {
    Roles roles;
    Objective objective = Objective::min;
    Schema schema = {};
};

struct JudgedRows {
    Observations observations;
    Table columns;  // what else was asked for, of the same rows
    Encoder encoder;
    bool larger_is_better = false;
    bool held_out = false;  // nothing was learned from them, as far as the model can tell
    std::string words;      // which rows these are
};

// Columns that are asked for besides features, treatment and outcome are named in `also`. Without a model, the file
// is read as `study` says; with one, as the model does: only weight, group and propensities are taken from `study`, and
// without a group there, that of the model.
[[nodiscard]] JudgedRows judged_rows(const PolicySource& policy, const DataText& data, const StudyRoles& study,
                                     const std::vector<ColumnSchema>& also, WhichRows which, const Progress& progress);

// The features of the same rows, as another policy's model reads them; without a model, those of the rows. Throws a
// data error that names the model and the column if it needs one that the file lacks.
[[nodiscard]] Table features_for(const PolicySource& policy, const DataText& data, const JudgedRows& rows,
                                 const Progress& progress);

// The values of a column. Throws a data error where there are more than `most`.
[[nodiscard]] Partition values_of(const JudgedRows& rows, const std::string& column, std::size_t most);

}  // namespace polyrx
