// SPDX-License-Identifier: Apache-2.0
// Evaluates a policy on observational data: chooses rows, prescribes, estimates.
#pragma once

#include <string>
#include <vector>

#include "polyrx/api/judged_rows.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"

namespace polyrx {

struct EvaluatePolicyOptions {
    StudyRoles study = {};  // see judged_rows()
    WhichRows rows = WhichRows::automatic;
    std::string by = {};  // a column for values by group; may be empty
    Unseen unseen = Unseen::error;
    std::optional<double> epsilon = {};  // threshold of support; empty: the model's
    // Its epsilon is replaced by the one above. Folds are limited to the number of groups.
    EvaluationOptions evaluation = {};
};

struct PolicyEvaluation {
    Evaluation evaluation;
    EvaluationNames names;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// `against` is another policy to compare with on the same rows; may be null.
[[nodiscard]] PolicyEvaluation evaluate_policy(const PolicySource& policy, const PolicySource* against,
                                               const DataText& data, const EvaluatePolicyOptions& options,
                                               const Progress& progress = {});

[[nodiscard]] std::string text_of(const PolicyEvaluation& evaluated);
[[nodiscard]] std::string json_text_of(const PolicyEvaluation& evaluated);

// "truth: 0 = y0, 1 = y1"
[[nodiscard]] std::string pairs_sentence(std::string_view what, const std::vector<std::string>& treatments,
                                         const std::vector<std::string>& texts);

}  // namespace polyrx
