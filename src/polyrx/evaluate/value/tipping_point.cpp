// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/tipping_point.hpp"

#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

std::optional<TippingPoint> tipping_point(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                          const OutcomeRange& range, double gain_where_supported) {
    WeightedMean now;
    WeightedMean least;
    WeightedMean greatest;
    double total = 0;
    for (std::size_t i = 0; i < policy.supported.size(); ++i) {
        const double weight = rows.weight_of(i);
        total += weight;
        if (policy.supported[i] != 0) continue;
        const bool known = rows.treatment[i] == policy.prescriptions[i];
        now.add(rows.outcome[i], weight);
        least.add(known ? rows.outcome[i] : range.least, weight);
        greatest.add(known ? rows.outcome[i] : range.greatest, weight);
    }
    if (!(now.total > 0)) return std::nullopt;
    return TippingPoint{now.mean() - gain_where_supported * total / now.total, now.mean(), least.mean(),
                        greatest.mean()};
}

}  // namespace polyrx
