// SPDX-License-Identifier: Apache-2.0
// Prescriptions for the rows of a file, as a table.
#pragma once

#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/model_or_tree.hpp"

namespace polyrx {

struct PrescribeRowsOptions {
    PrescribeOptions prescribe = {};     // its outcomes and reasons add columns
    std::vector<std::string> keep = {};  // columns of the file to copy in front
    bool count_unsupported = true;       // where rules allow only what the data do not support; takes time
};

struct PrescribedRows {
    // The kept columns, then `prescription`, then what was asked for: outcome_LABEL (or effect_LABEL, votes_LABEL),
    // reason, and of a tree leaf and answered_by.
    Table table;
    std::vector<std::size_t> counts;  // rows that get each treatment
    std::string failure = {};  // that rules left rows without a treatment, and the first of them; empty: all have one
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};
};

// Throws a usage error for kept columns that would stand beside others of the same name.
[[nodiscard]] PrescribedRows prescribe_rows(const ModelOrTree& policy, DataText data,
                                            const PrescribeRowsOptions& options, const Progress& progress = {});

// The model, or that of the tree.
[[nodiscard]] const Policy& policy_of(const ModelOrTree& loaded);

}  // namespace polyrx
