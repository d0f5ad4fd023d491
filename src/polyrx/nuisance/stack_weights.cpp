// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/stack_weights.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

constexpr double least_probability = 1e-6;  // as in log_loss()

double safe_log(double probability) {
    return std::log(std::max(probability, least_probability));
}

// The log-loss of a pool, and its derivative with respect to each weight.
struct PoolLoss {
    double loss = 0;
    std::vector<double> slope;
};

PoolLoss pool_loss(std::span<const Matrix> logs, std::span<const int> happened, std::span<const double> weight,
                   std::span<const double> weights) {
    const Eigen::Index classes = logs.front().cols();
    PoolLoss result{0, std::vector<double>(logs.size(), 0)};
    double total = 0;
    std::vector<double> pooled(static_cast<std::size_t>(classes));
    for (std::size_t i = 0; i < happened.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const double w = weight.empty() ? 1 : weight[i];
        double most = -1e300;
        for (Eigen::Index k = 0; k < classes; ++k) {
            double& log = pooled[static_cast<std::size_t>(k)] = 0;
            for (std::size_t m = 0; m < logs.size(); ++m) log += weights[m] * logs[m](row, k);
            most = std::max(most, log);
        }
        double sum = 0;
        for (const double log : pooled) sum += std::exp(log - most);
        const double normalizer = most + std::log(sum);
        result.loss += w * (normalizer - pooled[static_cast<std::size_t>(happened[i])]);
        total += w;
        for (std::size_t m = 0; m < logs.size(); ++m) {
            double expected = 0;
            for (Eigen::Index k = 0; k < classes; ++k)
                expected += std::exp(pooled[static_cast<std::size_t>(k)] - normalizer) * logs[m](row, k);
            result.slope[m] += w * (expected - logs[m](row, happened[i]));
        }
    }
    result.loss /= total;
    for (double& slope : result.slope) slope /= total;
    return result;
}

}  // namespace

std::vector<double> squared_loss_weights(const Matrix& predicted, std::span<const double> outcome,
                                         std::span<const double> weight) {
    constexpr int most_sweeps = 10'000;
    const auto models = static_cast<std::size_t>(predicted.cols());
    // Weights sum to one, so the error is the mean of the models' errors, and its square is a quadratic form in their
    // products.
    Matrix errors = predicted;
    for (std::size_t i = 0; i < outcome.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        errors.row(row).array() -= outcome[i];
        if (!weight.empty()) errors.row(row) *= std::sqrt(weight[i]);
    }
    const Matrix products = errors.transpose() * errors;
    Vector weights = Vector::Constant(predicted.cols(), 1 / static_cast<double>(models));
    // Coordinate descent: moves the best amount of weight between two models at a time.
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        double moved = 0;
        for (Eigen::Index a = 0; a < weights.size(); ++a)
            for (Eigen::Index b = 0; b < a; ++b) {
                const double curvature = products(a, a) + products(b, b) - 2 * products(a, b);
                if (!(curvature > 0)) continue;
                const double slope = (products.row(a) - products.row(b)) * weights;
                const double step = std::clamp(-slope / curvature, -weights[a], weights[b]);
                weights[a] += step;
                weights[b] -= step;
                moved = std::max(moved, std::abs(step));
            }
        if (moved < 1e-12) break;
    }
    return {weights.begin(), weights.end()};
}

Matrix pooled_probabilities(std::span<const Matrix> probabilities, std::span<const double> weights) {
    Matrix pooled = Matrix::Zero(probabilities.front().rows(), probabilities.front().cols());
    for (std::size_t m = 0; m < probabilities.size(); ++m)
        if (weights[m] > 0) pooled += weights[m] * probabilities[m].unaryExpr([](double p) { return safe_log(p); });
    for (auto row : pooled.rowwise()) {
        row.array() = (row.array() - row.maxCoeff()).exp();
        row /= row.sum();
    }
    return pooled;
}

// Exponentiated gradient (Kivinen & Warmuth 1997) with an adaptive step: it grows after an improvement and shrinks
// otherwise.
std::vector<double> log_loss_weights(std::span<const Matrix> probabilities, std::span<const int> happened,
                                     std::span<const double> weight) {
    constexpr int most_steps = 300;
    constexpr double enough = 1e-8;
    std::vector<Matrix> logs;
    for (const Matrix& each : probabilities) logs.push_back(each.unaryExpr([](double p) { return safe_log(p); }));
    std::vector<double> weights(logs.size(), 1 / static_cast<double>(logs.size()));
    PoolLoss now = pool_loss(logs, happened, weight, weights);
    double step = 1;
    for (int s = 0; s < most_steps && step > 1e-6; ++s) {
        std::vector<double> next = weights;
        const double least = *std::ranges::min_element(now.slope);
        double sum = 0;
        for (std::size_t m = 0; m < next.size(); ++m) sum += next[m] *= std::exp(-step * (now.slope[m] - least));
        for (double& each : next) each /= sum;
        PoolLoss there = pool_loss(logs, happened, weight, next);
        if (there.loss > now.loss) {
            step /= 2;
            continue;
        }
        const double gained = now.loss - there.loss;
        weights = std::move(next);
        now = std::move(there);
        step *= 1.5;
        if (gained < enough) break;
    }
    return weights;
}

}  // namespace polyrx
