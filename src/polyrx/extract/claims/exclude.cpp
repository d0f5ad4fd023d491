// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/claims/exclude.hpp"

#include <limits>
#include <numeric>

namespace polyrx {

std::optional<Exclusion> exclude(Cell& cell, int treatment, TreatmentSet others, double room,
                                 std::vector<Vector>& points) {
    const Relaxation& relaxation = cell.ground().relaxation;
    const Vector& errors = cell.ground().errors.back();
    std::vector<int> rivals;
    for (int j = 0; j < static_cast<int>(cell.ground().network.outputs()); ++j)
        if (j != treatment && has(others, j)) rivals.push_back(j);
    std::vector<AffineFunction> not_better;  // functions that are >= 0 where the rival may not be better
    for (const int j : rivals) {
        if (cell.proves(j, treatment, std::numeric_limits<double>::infinity()))  // by the order of their weights
            return Exclusion{treatment, {{j, 1}}, {}};
        not_better.push_back(relaxation.above(relaxation.outcome_difference(j, treatment), cell.bounds()));
        not_better.back().constant += room * (errors[j] + errors[treatment]);
    }
    const std::optional<std::vector<double>> weights = cell.weights_against(not_better, points);
    if (!weights) return std::nullopt;

    // Bounding the weighted sum as one function is at least as tight as summing the bounds.
    const double total = std::accumulate(weights->begin(), weights->end(), 0.0);
    Exclusion exclusion{treatment, {}, {}};
    LayerFunction sum = relaxation.outcome_difference(treatment, treatment);  // 0
    double rounding = 0;
    for (std::size_t i = 0; i < rivals.size(); ++i) {
        const double weight = (*weights)[i] / total;
        if (!(weight > 0)) continue;
        const LayerFunction difference = relaxation.outcome_difference(rivals[i], treatment);
        sum.weights += weight * difference.weights;
        sum.constant += weight * difference.constant;
        rounding += weight * (errors[rivals[i]] + errors[treatment]);
        exclusion.others.push_back({rivals[i], weight});
    }
    Bounded bounded = cell.largest(sum);
    if (!(bounded.bound < -room * rounding)) {
        points.push_back(cell.vertex());
        return std::nullopt;
    }
    exclusion.multipliers = std::move(bounded.multipliers);
    return exclusion;
}

}  // namespace polyrx
