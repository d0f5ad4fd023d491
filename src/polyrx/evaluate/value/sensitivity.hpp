// SPDX-License-Identifier: Apache-2.0
// The strength of unmeasured confounding that would undo a policy's gain, by the marginal sensitivity model (Tan 2006;
// Zhao, Small & Bhattacharya 2019).
#pragma once

#include <optional>
#include <string>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/statistics/bootstrap.hpp"

namespace polyrx {

// A row that received its prescription.
struct MatchedOutcome {
    double outcome = 0;
    double odds_against = 0;  // 1 / propensity - 1
    double weight = 1;
};

// An unmeasured confounder that changes the odds of receiving the prescription by at most a factor lambda allows
// inverse propensities from 1 + odds_against / lambda to 1 + odds_against * lambda. Returns the least lambda for which
// some such weights make the weighted mean outcome as bad as `practice`: 1 if it already is, infinity if no weights do.
[[nodiscard]] double lambda_that_undoes(std::span<const MatchedOutcome> rows, double practice, bool larger_is_better);

struct Sensitivity {
    std::optional<double> lambda;  // may be infinite
    std::optional<double> low;     // bootstrap percentiles, if there are draws
    std::optional<double> high;
    std::string reason = {};  // if there is no lambda
};

// For rows with a supported prescription: the self-normalized mean under the policy against the observed mean.
[[nodiscard]] Sensitivity sensitivity_of(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                         bool larger_is_better, double least_propensity, double level,
                                         const BootstrapOptions& options, const Progress& progress = {});

}  // namespace polyrx
