// SPDX-License-Identifier: Apache-2.0
// What a person reads after a fit or an evaluation.
#pragma once

#include <string>
#include <vector>

#include "polyrx/evaluate/truth.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx::cli {

// 10000 as "10,000"
[[nodiscard]] std::string grouped(std::size_t number);

// Rows, treatments with their shares, loss and time; no line break at the end.
[[nodiscard]] std::string fit_summary(const Fit& fit, double seconds);

// Rows, accuracy and regret, beside those of the best single treatment.
[[nodiscard]] std::string truth_summary(const TruthScore& score, const Policy& policy);

}  // namespace polyrx::cli
