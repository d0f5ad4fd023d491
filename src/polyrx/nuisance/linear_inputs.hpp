// SPDX-License-Identifier: Apache-2.0
// Feature rows as linear models need them: every value a number.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// One row for each of `rows`. A number is one column, and where it is missing the mean of the others; a category has
// one column for each level, all 0 where it is missing. A feature that is missing in some of the rows has a column
// behind these that says where. The fills come from the features of all these rows: they know no treatment or outcome.
[[nodiscard]] Matrix linear_inputs(const FeatureRows& features, std::span<const std::size_t> rows);

}  // namespace polyrx
