// SPDX-License-Identifier: Apache-2.0
// Converts feature rows to inputs of linear models, without missing values.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Returns one row per entry of `rows`. A numeric feature is one column, with the mean for missing values. A category
// has one column per level, all 0 if it is missing. A feature with missing values also has an indicator column at the
// end. Means are over all these rows; they use features only, neither treatments nor outcomes.
[[nodiscard]] Matrix linear_inputs(const FeatureRows& features, std::span<const std::size_t> rows);

}  // namespace polyrx
