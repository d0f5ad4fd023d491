// SPDX-License-Identifier: Apache-2.0
// A policy that may come from anywhere: a model or tree file, one treatment for all, or a column of the data.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "polyrx/api/model_or_tree.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/evaluate/evaluation.hpp"

namespace polyrx {

// As a person spells it: a model or tree file, always:LABEL, or column:NAME with prescriptions from elsewhere.
struct PolicySource {
    std::string text;
    std::string always = {};
    std::string column = {};
    std::optional<ModelOrTree> file = {};

    // The model in the file, or that of the tree; nullptr if there is none.
    [[nodiscard]] const Policy* model() const;
};

[[nodiscard]] PolicySource policy_source(const std::string& text, const Progress& progress);

// Rows that a policy is to prescribe for.
struct RowsToPrescribe {
    const Table& features;  // read under the schema of this policy's model
    const Table& columns;   // of the same rows, with the one that column: names
    const std::vector<std::string>& treatments;
};

// What the policy prescribes for the rows, and if it predicts outcomes, these. Throws a data error for another model's
// treatments, and for rows to which rules leave no treatment.
[[nodiscard]] Prescriptions prescribe_for(const PolicySource& policy, const RowsToPrescribe& rows,
                                          const PrescribeOptions& options, const Progress& progress);

// The leaves of a tree, or of a model that is one; nothing for others.
[[nodiscard]] std::optional<Partition> leaves_of(const PolicySource& policy, const Table& features);

// Whether a policy may have seen rows that another holds out (or that, without a model, nobody does).
[[nodiscard]] bool may_have_learned_from(const PolicySource& policy, const PolicySource& held_out_by);

}  // namespace polyrx
