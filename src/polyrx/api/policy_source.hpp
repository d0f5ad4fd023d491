// SPDX-License-Identifier: Apache-2.0
// A policy from one of several sources: a model or tree file, one treatment for all, or a column of the data.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "polyrx/api/model_or_tree.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/evaluate/evaluation.hpp"

namespace polyrx {

// Parsed from user input: a model or tree file, always:LABEL, or column:NAME for prescriptions of another program.
struct PolicySource {
    std::string text;
    std::string always = {};
    std::string column = {};
    std::optional<ModelOrTree> file = {};

    // The model, or the model of the tree; nullptr if there is none.
    [[nodiscard]] const Policy* model() const;
};

[[nodiscard]] PolicySource policy_source(const std::string& text, const Progress& progress);

struct RowsToPrescribe {
    const Table& features;  // by the schema of this policy's model
    const Table& columns;   // of the same rows, including the column of column:NAME
    const std::vector<std::string>& treatments;
};

// Prescriptions and, if the policy predicts them, outcomes. Throws a data error if the treatments differ from the
// model's, and if rules leave a row without a treatment.
[[nodiscard]] Prescriptions prescribe_for(const PolicySource& policy, const RowsToPrescribe& rows,
                                          const PrescribeOptions& options, const Progress& progress);

// The leaves of a tree, or of a model that is a tree; otherwise empty.
[[nodiscard]] std::optional<Partition> leaves_of(const PolicySource& policy, const Table& features);

// Whether a policy may have been fitted on rows that another policy holds out. Without a model, no rows are held out.
[[nodiscard]] bool may_have_learned_from(const PolicySource& policy, const PolicySource& held_out_by);

}  // namespace polyrx
