// SPDX-License-Identifier: Apache-2.0
// An evaluation for a person to read, and for a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/evaluate/evaluation.hpp"

namespace polyrx {

// What the words need besides the numbers.
struct EvaluationNames {
    std::string rows;     // which rows these are, and whether the policy has seen them: the first line
    std::string outcome;  // the column
    std::vector<std::string> treatments;
    std::vector<std::string> inputs;  // of the encoder
    std::vector<std::string> leaves;
    std::string by;  // the column
    std::vector<std::string> groups;
    bool larger_is_better = false;
    double level = 0.95;
    // What fit says of the model that is evaluated, and in a sentence; nothing where it said nothing.
    std::optional<bool> recommended = {};
    std::optional<std::string> recommendation = {};
};

[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation, const EvaluationNames& names);
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation, const EvaluationNames& names);

// "If those who chose treatments used nothing that is not in these columns: on 3,000 held-out rows the policy's
// expected outcome is 0.31 [0.28, 0.34] against 0.45 [0.43, 0.47] as treated; Lambda* 1.80."; with the overlap's words
// where these are more than "supported"; where it is not estimable, why.
[[nodiscard]] std::string headline_sentence(const Evaluation& evaluation, const EvaluationNames& names);

}  // namespace polyrx
