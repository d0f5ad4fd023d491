// SPDX-License-Identifier: Apache-2.0
// Prescribes for the rows of a file and returns a table.
#pragma once

#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/model_or_tree.hpp"

namespace polyrx {

struct PrescribeRowsOptions {
    PrescribeOptions prescribe = {};     // outcomes and reasons add columns
    std::vector<std::string> keep = {};  // columns of the file to copy first
    bool count_unsupported = true;       // count rows for which rules allow only unsupported treatments; slow
};

struct PrescribedRows {
    // The kept columns, `prescription`, and optional columns: outcome_LABEL (or effect_LABEL, votes_LABEL), reason, and
    // for trees leaf and answered_by.
    Table table;
    std::vector<std::size_t> counts;  // prescriptions by treatment
    std::string failure =
        {};  // error for rows that rules leave without a treatment, naming the first; empty if there are none
    std::vector<std::string> notes = {};
    std::vector<std::string> warnings = {};
};

// Throws a usage error if a kept column has the name of a result column.
[[nodiscard]] PrescribedRows prescribe_rows(const ModelOrTree& policy, DataText data,
                                            const PrescribeRowsOptions& options, const Progress& progress = {});

// The model, or the model of the tree.
[[nodiscard]] const Policy& policy_of(const ModelOrTree& loaded);

}  // namespace polyrx
