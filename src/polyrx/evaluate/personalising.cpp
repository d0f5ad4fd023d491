// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/personalising.hpp"

#include <algorithm>

#include "polyrx/evaluate/normal_quantile.hpp"

namespace polyrx {
namespace {

MeanEstimate gain_over(const ScoredRows& rows, int constant) {
    std::vector<double> gains(rows.rows());
    for (std::size_t row = 0; row < gains.size(); ++row)
        gains[row] = rows.gain(rows.score(row, rows.prescriptions[row]), rows.score(row, constant));
    return estimate_mean(gains, rows.sampling);
}

// A policy that is the constant has neither gain nor spread, and no evidence of either.
double one_sided_p(const ValueAndError& gain) {
    if (gain.standard_error > 0) return normal_upper_tail(gain.value / gain.standard_error);
    return gain.value > 0 ? 0 : 1;
}

}  // namespace

PersonalisingTest test_personalising(const ScoredRows& rows, double level) {
    check_scored(rows);
    const auto treatments = static_cast<std::size_t>(rows.treatments());
    const double all_at_once = simultaneous_factor(treatments, level);
    const double below = simultaneous_factor(1, level);
    const double above = simultaneous_factor(1, 1 - (1 - level) / static_cast<double>(treatments));
    PersonalisingTest test;
    const bool estimable = rows.any_matched();
    for (int k = 0; k < rows.treatments(); ++k) {
        MeanEstimate& over = test.over_each.emplace_back(
            estimable ? gain_over(rows, k) : not_estimable("no row received what was prescribed"));
        set_interval(over, all_at_once);
        if (!over.known) {  // then none is: it takes rows, not treatments
            test.over_best = over;
            continue;
        }
        const double low = over.known->value - below * over.known->standard_error;
        const double high = over.known->value + above * over.known->standard_error;
        ValueAndError best = test.over_best.known.value_or(ValueAndError{over.known->value, 0, low, high});
        if (!test.best || over.known->value < best.value) {
            test.best = k;
            best.value = over.known->value;
            best.standard_error = over.known->standard_error;
        }
        best.low = std::min(best.low, low);
        best.high = std::min(best.high, high);
        test.over_best.known = best;
        test.p_value = std::max(test.p_value.value_or(0), one_sided_p(*over.known));
    }
    return test;
}

}  // namespace polyrx
