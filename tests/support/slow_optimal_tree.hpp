// SPDX-License-Identifier: Apache-2.0
// Optimal prescriptive trees by their definition: the cost of a leaf term by term, and the best tree by trying all.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "polyrx/baselines/optimal/optimal_tree.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/rng.hpp"
#include "tests/support/slow_axis_tree.hpp"

namespace polyrx::test {

struct EncodedStudy {
    Matrix inputs;
    FeatureRows no_features;
    std::vector<int> treatment;
    int treatments = 2;
    std::vector<double> outcome;
    std::vector<double> weight;

    [[nodiscard]] TreatedRows rows() const { return {no_features, treatment, treatments, outcome, weight}; }
    [[nodiscard]] Rows all() const { return all_of(outcome.size()); }
};

// Some inputs are numbers, some have few values, some are 0 or 1.
inline EncodedStudy random_encoded_study(Rng& rng, std::size_t rows, int inputs, int treatments) {
    EncodedStudy study{Matrix(static_cast<Eigen::Index>(rows), inputs), {}, {}, treatments, {}, {}};
    for (int j = 0; j < inputs; ++j) {
        const std::uint64_t kind = rng.below(4);
        const double share = rng.uniform(0.1, 0.9);
        for (Eigen::Index i = 0; i < study.inputs.rows(); ++i)
            study.inputs(i, j) = kind == 0   ? rng.bernoulli(share)
                                 : kind == 1 ? static_cast<double>(rng.below(5)) - 2
                                             : 10 + 3 * rng.normal();
    }
    for (Eigen::Index i = 0; i < study.inputs.rows(); ++i) {
        const auto t = static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments)));
        const bool above = study.inputs(i, 0) > study.inputs.col(0).mean();
        study.treatment.push_back(t);
        study.outcome.push_back(5 + (above ? t : -t) + 0.5 * study.inputs(i, inputs - 1) + rng.normal());
        study.weight.push_back(0.5 + rng.uniform());
    }
    // Of mean 1, which weights are given anyway.
    const double total = std::accumulate(study.weight.begin(), study.weight.end(), 0.0);
    for (double& weight : study.weight) weight *= static_cast<double>(rows) / total;
    return study;
}

// The outcomes with mean 0 and deviation 1.
inline std::vector<double> standard_outcomes(const EncodedStudy& study, const Rows& learned) {
    double total = 0;
    double mean = 0;
    double squares = 0;
    for (const std::size_t row : learned) total += study.weight[row];
    for (const std::size_t row : learned) mean += study.weight[row] * study.outcome[row] / total;
    for (const std::size_t row : learned)
        squares += study.weight[row] * (study.outcome[row] - mean) * (study.outcome[row] - mean) / total;
    std::vector<double> standard;
    for (const double outcome : study.outcome) standard.push_back((outcome - mean) / std::sqrt(squares));
    return standard;
}

// Of a leaf with constant predictions; infinite if it is not admissible.
inline double slow_leaf_cost(const EncodedStudy& study, const std::vector<double>& outcome, const Rows& rows,
                             const OptimalTreeOptions& options) {
    const auto arms = static_cast<std::size_t>(study.treatments);
    std::vector<std::size_t> count(arms);
    std::vector<double> weight(arms);
    std::vector<double> sum(arms);
    double all_weight = 0;
    double all_sum = 0;
    for (const std::size_t row : rows) {
        const auto k = static_cast<std::size_t>(study.treatment[row]);
        ++count[k];
        weight[k] += study.weight[row];
        sum[k] += study.weight[row] * outcome[row];
        all_weight += study.weight[row];
        all_sum += study.weight[row] * outcome[row];
    }
    if (rows.size() < options.leaf_rows) return infinity;
    std::vector<double> predicted(arms);
    int prescribed = -1;
    for (std::size_t k = 0; k < arms; ++k) {
        const bool eligible = count[k] >= options.treatment_rows;
        predicted[k] = eligible ? sum[k] / weight[k] : all_sum / all_weight;
        if (eligible && (prescribed < 0 || predicted[k] < predicted[static_cast<std::size_t>(prescribed)]))
            prescribed = static_cast<int>(k);
    }
    if (prescribed < 0) return infinity;
    double cost = 0;
    for (const std::size_t row : rows) {
        const double expected =
            study.treatment[row] == prescribed ? outcome[row] : predicted[static_cast<std::size_t>(prescribed)];
        const double error = outcome[row] - predicted[static_cast<std::size_t>(study.treatment[row])];
        cost += study.weight[row] * (options.mu * expected + (1 - options.mu) * error * error);
    }
    return cost;
}

// The least cost of a tree of at most so many splits on any way, cuts of one input each.
inline double slow_best_cost(const EncodedStudy& study, const std::vector<double>& outcome, const Rows& rows,
                             const OptimalTreeOptions& options, double split_cost, int depth) {
    double best = slow_leaf_cost(study, outcome, rows, options);
    if (depth == 0 || rows.size() < 2 * options.leaf_rows) return best;
    for (Eigen::Index j = 0; j < study.inputs.cols(); ++j) {
        std::set<double> values;
        for (const std::size_t row : rows) values.insert(study.inputs(static_cast<Eigen::Index>(row), j));
        for (const double cut : values) {
            Rows low;
            Rows high;
            for (const std::size_t row : rows)
                (study.inputs(static_cast<Eigen::Index>(row), j) > cut ? high : low).push_back(row);
            if (high.empty()) continue;
            const double of_low = slow_best_cost(study, outcome, low, options, split_cost, depth - 1);
            if (!std::isfinite(of_low)) continue;
            best = std::min(best,
                            split_cost + of_low + slow_best_cost(study, outcome, high, options, split_cost, depth - 1));
        }
    }
    return best;
}

}  // namespace polyrx::test
