// SPDX-License-Identifier: Apache-2.0
// An evaluation as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/evaluate/evaluation.hpp"

namespace polyrx {

// Names that the text needs besides the numbers.
struct EvaluationNames {
    std::string rows;     // first line: which rows these are, and whether the policy was fitted on them
    std::string outcome;  // name of the column
    std::vector<std::string> treatments;
    std::vector<std::string> inputs;  // names of the encoder's inputs
    std::vector<std::string> leaves;
    std::string by;  // name of the column
    std::vector<std::string> groups;
    bool larger_is_better = false;
    double level = 0.95;
    // The recommendation of `fit` for this model, and as a sentence; empty if there is none.
    std::optional<bool> recommended = {};
    std::optional<std::string> recommendation = {};
};

[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, const EvaluationNames& names);
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation, const EvaluationNames& names);

// "If those who chose treatments used nothing that is not in these columns: on 3,000 held-out rows the policy's
// expected outcome is 0.31 [0.28, 0.34] against 0.45 [0.43, 0.47] as treated; Lambda* 1.80." Adds the state of overlap
// unless it is "supported", and the reason if the value is not estimable.
[[nodiscard]] std::string headline_sentence(const Evaluation& evaluation, const EvaluationNames& names);

}  // namespace polyrx
