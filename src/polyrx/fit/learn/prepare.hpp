// SPDX-License-Identifier: Apache-2.0
// Observations to the scaled float32 rows that training sees, and the scalings to fold back afterwards.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/study/observations.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {

// y = shift + scale * what the network predicts
struct OutcomeScaling {
    double shift = 0;
    double scale = 1;
};

// Mean and population deviation of the value columns over `rows`; one-hot and indicator columns are left as they are,
// and a column that does not vary is only centered. Throws a data error for values that cannot be standardized.
[[nodiscard]] Scaling standardization(const Encoder& encoder, const Matrix& encoded, std::span<const std::size_t> rows);
[[nodiscard]] OutcomeScaling standardization(const std::string& name, std::span<const double> outcome,
                                             std::span<const std::size_t> rows);

// `outcome` is in the direction of training: small is good. `part` names the rows in messages ("held-out rows").
// Throws a data error for outcomes or weights that float32 cannot hold or tell apart.
[[nodiscard]] TrainingRows training_rows(const Observations& observations, const Matrix& encoded,
                                         const Scaling& scaling, std::span<const double> outcome,
                                         const OutcomeScaling& outcome_scaling, std::span<const std::size_t> chosen,
                                         std::string_view part);

}  // namespace polyrx
