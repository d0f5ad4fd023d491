// SPDX-License-Identifier: Apache-2.0
// Random studies with known truth and known propensities of 0.1 or more, and their doubly robust scores.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"

namespace polyrx::test {

struct ScoredSample {
    Matrix features;  // x0, x1
    Matrix truth;
    Matrix propensities;
    Matrix scores;
    std::vector<int> treatment;
    std::vector<double> outcome;
    std::vector<int> prescriptions;
    std::vector<double> weight = {};
    std::vector<std::size_t> cluster = {};
    bool larger_is_better = false;

    [[nodiscard]] ScoredRows rows() const {
        return {scores, propensities, treatment, outcome, prescriptions, {weight, cluster}, larger_is_better};
    }

    [[nodiscard]] std::vector<double> contrast(int first, int second) const {
        std::vector<double> values;
        for (Eigen::Index i = 0; i < truth.rows(); ++i) values.push_back(truth(i, first) - truth(i, second));
        return values;
    }
};

// effect(x0, x1, k) is what treatment k adds to the outcome. What x0 says of the outcome it says of the treatment, too.
// The outcome model of the scores is half right, and the prescription is treatment 1 where x0 > 0, else 0.
template <class Effect>
ScoredSample scored_study(Rng& rng, Eigen::Index rows, int treatments, const Effect& effect) {
    ScoredSample study{Matrix(rows, 2), Matrix(rows, treatments), Matrix(rows, treatments), {}, {}, {}, {}};
    for (Eigen::Index i = 0; i < rows; ++i) {
        const double x0 = study.features(i, 0) = rng.normal();
        const double x1 = study.features(i, 1) = rng.normal();
        for (int k = 0; k < treatments; ++k) {
            study.truth(i, k) = x0 + x1 + effect(x0, x1, k);
            study.propensities(i, k) = std::exp(k * x0);
        }
        const double odds = study.propensities.row(i).sum();
        for (double& p : study.propensities.row(i)) p = 0.1 + (1 - 0.1 * treatments) * p / odds;
        double u = rng.uniform();
        int t = 0;
        while (t + 1 < treatments && u >= study.propensities(i, t)) u -= study.propensities(i, t++);
        study.treatment.push_back(t);
        study.outcome.push_back(study.truth(i, t) + 0.5 * rng.normal());
        study.prescriptions.push_back(x0 > 0 ? 1 : 0);
    }
    study.scores =
        doubly_robust_from(0.5 * study.truth, study.propensities, study.treatment, study.outcome, 0.02).scores;
    return study;
}

// Treatment k adds k times x0: the policy above is the worst one for costs.
inline ScoredSample scored_study(Rng& rng, Eigen::Index rows, int treatments) {
    return scored_study(rng, rows, treatments, [](double x0, double, int k) { return k * x0; });
}

// The same study with its rows in another order: place i has the row order[i].
inline ScoredSample reordered(const ScoredSample& study, const std::vector<std::size_t>& order) {
    ScoredSample other = study;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto to = static_cast<Eigen::Index>(i);
        const auto from = static_cast<Eigen::Index>(order[i]);
        other.features.row(to) = study.features.row(from);
        other.truth.row(to) = study.truth.row(from);
        other.propensities.row(to) = study.propensities.row(from);
        other.scores.row(to) = study.scores.row(from);
        other.treatment[i] = study.treatment[order[i]];
        other.outcome[i] = study.outcome[order[i]];
        other.prescriptions[i] = study.prescriptions[order[i]];
        if (!study.weight.empty()) other.weight[i] = study.weight[order[i]];
        if (!study.cluster.empty()) other.cluster[i] = study.cluster[order[i]];
    }
    return other;
}

inline std::vector<std::size_t> random_order(Rng& rng, std::size_t rows) {
    std::vector<std::size_t> order(rows);
    for (std::size_t i = 0; i < rows; ++i) order[i] = i;
    rng.shuffle(std::span(order));
    return order;
}

inline std::vector<double> random_weights(Rng& rng, std::size_t rows) {
    std::vector<double> weights;
    for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(1 + rng.below(8)) / 4);
    return weights;
}

}  // namespace polyrx::test
