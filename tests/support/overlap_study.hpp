// SPDX-License-Identifier: Apache-2.0
// Made-up studies of three treatments in which all is known: who is likely to get what (never less than 1 in 10), what
// it comes to, and what a certain policy is worth.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx::test {

struct OverlapStudy {
    FeatureRows features;
    std::vector<int> treatment;
    std::vector<double> outcome;
    Matrix truth;  // expected outcomes
    Matrix propensities;
    std::vector<int> policy;  // what is prescribed

    [[nodiscard]] TreatedRows rows() const { return {features, treatment, 3, outcome}; }
    [[nodiscard]] std::vector<std::size_t> all() const {
        std::vector<std::size_t> rows(outcome.size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        return rows;
    }
};

constexpr double policy_border = 0.3;

// Four normal features. Propensities are 0.1 + 0.7 softmax, so between 0.1 and 0.8, and no logistic regression is quite
// right. Expected outcomes are linear, so one is, unless there is `curvature`: that times x0^2 on top of all of them.
inline OverlapStudy overlap_study(Rng& rng, Eigen::Index rows, double curvature = 0) {
    OverlapStudy study{{Eigen::MatrixXd(rows, 4), {0, 0, 0, 0}}, {}, {}, Matrix(rows, 3), Matrix(rows, 3), {}};
    for (Eigen::Index i = 0; i < rows; ++i) {
        std::array<double, 4> x{};
        for (std::size_t j = 0; j < 4; ++j)
            x[j] = study.features.values(i, static_cast<Eigen::Index>(j)) = rng.normal();
        Eigen::RowVector3d odds(1, std::exp(x[0] - 0.5 * x[1]), std::exp(0.8 * x[1] + 0.4 * x[2]));
        study.propensities.row(i) = (0.1 + (0.7 / odds.sum()) * odds.array()).matrix();
        study.truth.row(i) << 2 + x[0] + x[1], 2 + 0.5 * x[0] - x[2], 1.5 + x[1] + 0.5 * x[2];
        study.truth.row(i).array() += curvature * x[0] * x[0];
        const double u = rng.uniform();
        const int t = u < study.propensities(i, 0) ? 0 : u < 1 - study.propensities(i, 2) ? 1 : 2;
        study.treatment.push_back(t);
        study.outcome.push_back(study.truth(i, t) + (0.5 + 0.5 * std::abs(x[3])) * rng.normal());
        study.policy.push_back(x[0] > policy_border ? 1 : x[1] > 0 ? 0 : 2);
    }
    return study;
}

// The expected outcome of its policy, by integrals over the three parts: those of a normal density are in closed form.
inline double overlap_policy_value(double curvature = 0) {
    const double below = 0.5 * std::erfc(-policy_border / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * policy_border * policy_border) / std::sqrt(2 * std::numbers::pi);
    const double density_at_0 = 1 / std::sqrt(2 * std::numbers::pi);
    const double given_1 = 2 * (1 - below) + 0.5 * density;
    const double given_0 = 2 * 0.5 * below - 0.5 * density + below * density_at_0;
    const double given_2 = 1.5 * 0.5 * below - below * density_at_0;
    return given_0 + given_1 + given_2 + curvature;
}

}  // namespace polyrx::test
