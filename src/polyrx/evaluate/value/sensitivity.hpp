// SPDX-License-Identifier: Apache-2.0
// How strong an unrecorded factor must be to undo a policy's gain over practice: the marginal sensitivity model (Tan
// 2006; Zhao, Small & Bhattacharya 2019).
#pragma once

#include <optional>
#include <string>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/statistics/bootstrap.hpp"

namespace polyrx {

// One row that received what is prescribed.
struct MatchedOutcome {
    double outcome = 0;
    double odds_against = 0;  // 1 / propensity - 1
    double weight = 1;
};

// An unrecorded factor that changes the odds of receiving the prescription by at most lambda lets the inverse
// propensity of a row be anything from 1 + odds_against / lambda to 1 + odds_against * lambda. The answer is the least
// lambda at which some such weights make the weighted mean outcome as bad as `practice`: 1 where it is so already,
// infinity where none can.
[[nodiscard]] double lambda_that_undoes(std::span<const MatchedOutcome> rows, double practice, bool larger_is_better);

struct Sensitivity {
    std::optional<double> lambda;  // may be infinite
    std::optional<double> low;     // percentiles of the bootstrap, where there were draws
    std::optional<double> high;
    std::string reason = {};  // where there is no lambda
};

// Of the rows whose prescription is supported: their self-normalized mean under the policy against their mean as
// treated.
[[nodiscard]] Sensitivity sensitivity_of(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                         bool larger_is_better, double least_propensity, double level,
                                         const BootstrapOptions& options, const Progress& progress = {});

}  // namespace polyrx
