// SPDX-License-Identifier: Apache-2.0
// Accuracy and regret of a policy for data with known outcomes of all treatments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/policy_source.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/evaluate/value/truth.hpp"

namespace polyrx {

struct PolicyScore {
    TruthScore truth;
    std::vector<std::string> treatments;
    std::vector<std::string> columns;  // true outcomes, by treatment
    Objective objective = Objective::min;
    std::optional<Recommendation> recommendation = {};
    std::vector<std::string> notes = {};
};

// `truth` names one column per treatment, in their order, or as LABEL=COLUMN. Throws a usage error if the source is not
// a model or tree.
[[nodiscard]] PolicyScore score_policy(const PolicySource& policy, const DataText& data,
                                       const std::vector<std::string>& truth, const PrescribeOptions& options,
                                       const Progress& progress = {});

// Rows, accuracy and regret, compared with the best single treatment.
[[nodiscard]] std::string text_of(const PolicyScore& score);
[[nodiscard]] Json json_of(const PolicyScore& score);

}  // namespace polyrx
