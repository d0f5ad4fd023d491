// SPDX-License-Identifier: Apache-2.0
// The rows that policies are judged by: observations, and the columns besides them that an evaluation asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/model_or_tree.hpp"
#include "observed_data.hpp"
#include "polyrx/evaluate/evaluation.hpp"
#include "polyrx/api/data_text.hpp"

namespace polyrx::cli {

// What is judged, as the command line spells it: a model or tree file, always:LABEL, or column:NAME with prescriptions
// from elsewhere.
struct PolicySource {
    std::string text;
    std::string always;
    std::string column;
    std::optional<ModelOrTree> file = {};

    // The model in the file, or that of the tree; nullptr if there is none.
    [[nodiscard]] const Policy* model() const;
};

[[nodiscard]] PolicySource policy_source(const std::string& text, const Progress& progress);

enum class WhichRows { automatic, held_out, all };

[[nodiscard]] std::string_view name_of(WhichRows which);

struct JudgedRows {
    Observations observations;
    Table columns;  // what else was asked for, of the same rows
    Encoder encoder;
    bool larger_is_better = false;
    bool held_out = false;  // nothing was learned from them, as far as the model can tell
    std::string words;      // which rows these are
};

// Columns that are asked for besides features, treatment and outcome are named in `also`. Without a model, the file
// is read as `data` says; with one, as the model does: only weight and group are taken from `data`, and without a group
// there, that of the model.
[[nodiscard]] JudgedRows read_judged_rows(const PolicySource& policy, const ObservedData& data,
                                          const std::vector<ColumnSchema>& also, WhichRows which,
                                          const Progress& progress);

// What the policy prescribes for the rows, and if it predicts outcomes, these.
[[nodiscard]] Prescriptions prescribe_for(const PolicySource& policy, const JudgedRows& rows,
                                          const PrescribeOptions& options, const Progress& progress);

// The leaves of a tree, or of a model that is one; nothing for others.
[[nodiscard]] std::optional<Partition> leaves_of(const PolicySource& policy, const JudgedRows& rows);

// The values of a column. Throws a data error where there are more than `most`.
[[nodiscard]] Partition values_of(const JudgedRows& rows, const std::string& column, std::size_t most);

// Whether a policy may have seen rows that another holds out (or that, without a model, nobody does).
[[nodiscard]] bool may_have_learned_from(const PolicySource& policy, const PolicySource& held_out_by);

}  // namespace polyrx::cli
