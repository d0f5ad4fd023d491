// SPDX-License-Identifier: Apache-2.0
// Charts of an evaluation: values with their intervals, overlap, balance, and the Qini curve.
#pragma once

#include <string>
#include <vector>

#include "polyrx/evaluate/evaluation_text.hpp"

namespace polyrx {

struct NamedChart {
    std::string name;  // for example "values"
    std::string svg;
};

// The charts for which the evaluation has data.
[[nodiscard]] std::vector<NamedChart> evaluation_charts(const Evaluation& evaluation, const EvaluationNames& names);

// The warning above a chart's title: "NOT recommended", or empty.
[[nodiscard]] std::string_view warning_of(const EvaluationNames& names);

// The policy and the policies it is compared with, each with its interval, and bounds if it is partly unsupported.
[[nodiscard]] std::string value_chart(const Evaluation& evaluation, const EvaluationNames& names);

// The propensities of each treatment: for all rows, and for those that received it.
[[nodiscard]] std::string overlap_chart(const Overlap& overlap, const EvaluationNames& names);

// The largest differences between a treatment group and all rows in the means of features, before and after weighting.
[[nodiscard]] std::string balance_chart(const std::vector<CovariateBalance>& balance, const EvaluationNames& names);

// The gain of treating rows in the order of the policy's ranking, against treating the same number at random.
[[nodiscard]] std::string qini_chart(const RankedGain& ranked, const EvaluationNames& names);

}  // namespace polyrx
