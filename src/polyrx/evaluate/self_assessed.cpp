// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/self_assessed.hpp"

namespace polyrx {

double self_assessed_value(std::span<const int> prescribed, const Matrix& predicted, const Observations& observations) {
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < prescribed.size(); ++i) {
        const double weight = observations.weight.empty() ? 1 : observations.weight[i];
        sum += weight * (prescribed[i] == observations.treatment[i]
                             ? observations.outcome[i]
                             : predicted(static_cast<Eigen::Index>(i), prescribed[i]));
        total += weight;
    }
    return sum / total;
}

}  // namespace polyrx
