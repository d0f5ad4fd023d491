// SPDX-License-Identifier: Apache-2.0
// Affine approximations of the difference of two outcomes over some rows. A deep network bends between almost any two
// rows, so the affine piece at one row predicts the others poorly. A fit is the best direction on average.
#pragma once

#include <span>
#include <vector>

#include "polyrx/extract/supported/labeled_rows.hpp"
#include "polyrx/geometry/affine.hpp"

namespace polyrx {

struct TreatmentPair {
    int a = 0;
    int b = 0;
};

struct OutcomeFit {
    TreatmentPair pair;
    AffineFunction function;
};

// Ridge regressions for each pair: of f_a - f_b, and of f_a - f_b clipped at plus and minus some of its quantiles,
// which gives rows near the boundary more influence. Inputs that are not `used`, or constant over the members, have
// weight 0. Empty if there are too many inputs.
[[nodiscard]] std::vector<OutcomeFit> fit_outcomes(const LabeledRows& rows, std::span<const Eigen::Index> members,
                                                   std::span<const TreatmentPair> pairs, const std::vector<char>& used);

}  // namespace polyrx
