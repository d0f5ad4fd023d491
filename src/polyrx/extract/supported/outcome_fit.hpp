// SPDX-License-Identifier: Apache-2.0
// Affine functions close to the difference of two outcomes over some rows. A deep network bends between almost any two
// rows, so that the piece at one of them is a poor guide to the others; a fit is the best of all directions on average.
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

// Ridge regressions, for each pair, of f_a - f_b, and of f_a - f_b kept within plus and minus some of its quantiles,
// which leaves the rows near the boundary more of a say. Inputs that are not `used` or constant over the members have
// weight 0. Empty when there are more inputs than make sense here.
[[nodiscard]] std::vector<OutcomeFit> fit_outcomes(const LabeledRows& rows, std::span<const Eigen::Index> members,
                                                   std::span<const TreatmentPair> pairs, const std::vector<char>& used);

}  // namespace polyrx
