// SPDX-License-Identifier: Apache-2.0
// Converts observations to the scaled float32 rows of training, with the scalings to fold back afterwards.
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

// y = shift + scale * output of the network
struct OutcomeScaling {
    double shift = 0;
    double scale = 1;
};

// Mean and population standard deviation of the value columns over `rows`. One-hot and indicator columns stay
// unchanged, and a constant column is only centered. Throws a data error for values that cannot be standardized.
[[nodiscard]] Scaling standardization(const Encoder& encoder, const Matrix& encoded, std::span<const std::size_t> rows);
[[nodiscard]] OutcomeScaling standardization(const std::string& name, std::span<const double> outcome,
                                             std::span<const std::size_t> rows);

// `outcome` is in the direction of training: smaller is better. `part` names the rows in messages ("held-out rows").
// Throws a data error for outcomes or weights that float32 cannot represent or distinguish.
[[nodiscard]] TrainingRows training_rows(const Observations& observations, const Matrix& encoded,
                                         const Scaling& scaling, std::span<const double> outcome,
                                         const OutcomeScaling& outcome_scaling, std::span<const std::size_t> chosen,
                                         std::string_view part);

}  // namespace polyrx
