// SPDX-License-Identifier: Apache-2.0
// Columns that are probably a mistake as features: identifiers, leaks of the outcome, copies of the treatment.
#pragma once

#include <string>
#include <vector>

#include "polyrx/study/observations.hpp"

namespace polyrx {

// A text with almost as many values as rows, or whole numbers that count up in file order, perhaps with gaps. Tables of
// fewer than 20 rows have none: there, ages may happen to do so.
[[nodiscard]] bool looks_like_identifier(const Column& column);

// A sentence for each feature that predicts the outcome or the treatment almost perfectly, on its own, for rows that
// were not used to find out. Of large tables 20,000 rows are looked at; below 100 rows nothing can be said.
[[nodiscard]] std::vector<std::string> suspicious_features(const Observations& observations);

}  // namespace polyrx
