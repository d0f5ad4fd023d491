// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/self_assessed.hpp"

#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

double self_assessed_value(std::span<const int> prescribed, const Matrix& predicted, const Observations& observations) {
    WeightedMean value;
    for (std::size_t i = 0; i < prescribed.size(); ++i)
        value.add(prescribed[i] == observations.treatment[i] ? observations.outcome[i]
                                                             : predicted(static_cast<Eigen::Index>(i), prescribed[i]),
                  observations.weight.empty() ? 1 : observations.weight[i]);
    return value.mean();
}

}  // namespace polyrx
