// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/personalizing.hpp"

#include <algorithm>

#include "polyrx/core/every_row.hpp"
#include "polyrx/evaluate/effects/scored_part.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/statistics/normal_quantile.hpp"

namespace polyrx {
namespace {

// A policy that equals the constant has gain 0 and standard error 0, so the p-value is 1.
double one_sided_p(const ValueAndError& gain) {
    if (gain.standard_error > 0) return normal_upper_tail(gain.value / gain.standard_error);
    return gain.value > 0 ? 0 : 1;
}

}  // namespace

PersonalizingTest test_personalizing(const ScoredRows& rows, double level) {
    check_scored(rows);
    const ScoredPart all(rows, every_row(rows.rows()));
    PersonalizingTest test;
    const auto count = static_cast<std::size_t>(rows.treatments());
    if (!rows.any_matched()) {
        test.over_best = not_estimable("no row received what was prescribed");
        test.over_each.assign(count, test.over_best);
        return test;
    }
    std::vector<int> comparable;
    for (int k = 0; k < rows.treatments(); ++k) {
        const double effective = all.effective_rows(k);
        if (effective < rows.needed_rows || all.unsupported_share(k) > PersonalizingTest::most_unsupported)
            test.not_compared.push_back(k);
        else
            comparable.push_back(k);
        test.over_each.push_back(effective < rows.needed_rows ? too_few_rows(effective, rows.needed_rows)
                                                              : all.gain_over(k));
        set_interval(test.over_each.back(), bonferroni_factor(count, level));
    }
    if (comparable.empty()) {
        test.over_best = not_estimable("no treatment for all can be compared");
        return test;
    }
    const double below = simultaneous_factor(1, level);
    const double above = simultaneous_factor(1, 1 - (1 - level) / static_cast<double>(comparable.size()));
    for (const int k : comparable) {
        const MeanEstimate& over = test.over_each[static_cast<std::size_t>(k)];
        if (!over.known) {  // no gain is known then: the reason concerns the rows, not treatment k
            test.over_best = over;
            continue;
        }
        const UpperBound upper = over.known->upper.value_or(UpperBound{over.known->value, over.known->standard_error});
        const double low = over.known->value - below * over.known->standard_error;
        const double high = upper.value + above * upper.standard_error;
        ValueAndError best = test.over_best.known.value_or(ValueAndError{over.known->value, 0, low, high});
        if (!test.best || over.known->value < best.value) {
            test.best = k;
            best.value = over.known->value;
            best.standard_error = over.known->standard_error;
            best.upper = over.known->upper;
        }
        best.low = std::min(best.low, low);
        best.high = std::min(best.high, high);
        test.over_best.known = best;
        test.p_value = std::max(test.p_value.value_or(0), one_sided_p(*over.known));
    }
    return test;
}

}  // namespace polyrx
