// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr double least_told_apart = 1e-6;

double log_told_apart(double probability) {
    return std::log(std::max(probability, least_told_apart));
}

Matrix logarithms(const Matrix& probabilities) {
    return probabilities.unaryExpr(&log_told_apart);
}

}  // namespace

double log_loss(const Matrix& probabilities, std::span<const int> happened, std::span<const double> weight) {
    if (happened.empty() || static_cast<Eigen::Index>(happened.size()) != probabilities.rows())
        throw usage_error(fmt::format("the log-loss of {} rows needs as many rows of probabilities, not {}",
                                      happened.size(), probabilities.rows()));
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < happened.size(); ++i) {
        const double w = weight.empty() ? 1 : weight[i];
        sum -= w * log_told_apart(probabilities(static_cast<Eigen::Index>(i), happened[i]));
        total += w;
    }
    return sum / total;
}

LogisticModel fit_calibration(const Matrix& probabilities, std::span<const int> happened,
                              std::span<const double> weight, int threads) {
    Vector weights(static_cast<Eigen::Index>(weight.size()));
    std::ranges::copy(weight, weights.begin());
    LogisticOptions options;
    options.threads = threads;
    return multinomial_logistic(logarithms(probabilities), happened, static_cast<int>(probabilities.cols()), weights,
                                options)
        .model;
}

Matrix calibrated(const LogisticModel& calibration, const Matrix& probabilities) {
    return polyrx::probabilities(calibration, logarithms(probabilities));
}

}  // namespace polyrx
