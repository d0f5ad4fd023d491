// SPDX-License-Identifier: Apache-2.0
// The value of a policy from observational data: choose the rows, prescribe, estimate.
#pragma once

#include <string>
#include <vector>

#include "polyrx/api/judged_rows.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"

namespace polyrx {

struct EvaluatePolicyOptions {
    StudyRoles study = {};  // see judged_rows()
    WhichRows rows = WhichRows::automatic;
    std::string by = {};  // a column whose values have values of their own; empty: none
    Unseen unseen = Unseen::error;
    std::optional<double> epsilon = {};  // of support; none: that of the model
    // Its epsilon is the one above. There are no more folds than groups.
    EvaluationOptions evaluation = {};
};

struct PolicyEvaluation {
    Evaluation evaluation;
    EvaluationNames names;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// `against` is another policy to compare with on the same rows, or nullptr.
[[nodiscard]] PolicyEvaluation evaluate_policy(const PolicySource& policy, const PolicySource* against,
                                               const DataText& data, const EvaluatePolicyOptions& options,
                                               const Progress& progress = {});

[[nodiscard]] std::string text_of(const PolicyEvaluation& evaluated);
[[nodiscard]] std::string json_text_of(const PolicyEvaluation& evaluated);

// "truth: 0 = y0, 1 = y1"
[[nodiscard]] std::string pairs_sentence(std::string_view what, const std::vector<std::string>& treatments,
                                         const std::vector<std::string>& texts);

}  // namespace polyrx
