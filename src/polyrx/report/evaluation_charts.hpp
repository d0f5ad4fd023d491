// SPDX-License-Identifier: Apache-2.0
// An evaluation as pictures: values with their intervals, overlap, balance, and the Qini curve.
#pragma once

#include <string>
#include <vector>

#include "polyrx/evaluate/evaluation_text.hpp"

namespace polyrx {

struct NamedChart {
    std::string name;  // "values"
    std::string svg;
};

// Those that the evaluation has something to show for.
[[nodiscard]] std::vector<NamedChart> evaluation_charts(const Evaluation& evaluation, const EvaluationNames& names);

// What a chart says above its title: "NOT recommended", or nothing.
[[nodiscard]] std::string_view warning_of(const EvaluationNames& names);

// The policy and what it is compared with, each with its interval, and with bounds where some of it is not supported.
[[nodiscard]] std::string value_chart(const Evaluation& evaluation, const EvaluationNames& names);

// How likely each treatment was: of all rows, and of those that received it.
[[nodiscard]] std::string overlap_chart(const Overlap& overlap, const EvaluationNames& names);

// How far features of who received a treatment are from those of all, before and after weighting: the largest.
[[nodiscard]] std::string balance_chart(const std::vector<CovariateBalance>& balance, const EvaluationNames& names);

// What treating those first whom the policy ranks first gains, beside treating as many at random.
[[nodiscard]] std::string qini_chart(const RankedGain& ranked, const EvaluationNames& names);

}  // namespace polyrx
