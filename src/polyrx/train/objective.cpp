// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/objective.hpp"

namespace polyrx {
namespace {

Eigen::Index prescription(const MatrixF& outputs, Eigen::Index row) {
    Eigen::Index best = 0;
    for (Eigen::Index k = 1; k < outputs.cols(); ++k)
        if (outputs(row, k) < outputs(row, best)) best = k;
    return best;
}

// Calls use(row, prescribed treatment) for every row and sums the losses.
template <class Use>
BatchLoss sum_losses(const MatrixF& outputs, const Lessons& lessons, double mu, Use use) {
    BatchLoss sum;
    for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        const int given = lessons.treatment[row];
        const Eigen::Index prescribed = prescription(outputs, i);
        const double outcome = lessons.outcome[row];
        const double expected = outputs(i, prescribed);
        const double error = outcome - static_cast<double>(outputs(i, given));
        sum.objective +=
            lessons.weight[row] * (mu * (prescribed == given ? outcome : expected) + (1 - mu) * error * error);
        sum.prescribed += expected;
        use(i, prescribed);
    }
    return sum;
}

}  // namespace

BatchLoss& BatchLoss::operator+=(const BatchLoss& other) {
    objective += other.objective;
    prescribed += other.prescribed;
    return *this;
}

BatchLoss batch_loss(const MatrixF& outputs, const Lessons& lessons, double mu) {
    return sum_losses(outputs, lessons, mu, [](Eigen::Index, Eigen::Index) {});
}

BatchLoss batch_loss_and_gradient(const MatrixF& outputs, const Lessons& lessons, double mu, MatrixF& gradient) {
    gradient.setZero(outputs.rows(), outputs.cols());
    const auto per_row = 1 / static_cast<float>(outputs.rows());
    const auto prescription_pull = static_cast<float>(mu);
    const auto error_pull = static_cast<float>(2 * (1 - mu));
    return sum_losses(outputs, lessons, mu, [&](Eigen::Index i, Eigen::Index prescribed) {
        const auto row = static_cast<std::size_t>(i);
        const int given = lessons.treatment[row];
        const float weight = lessons.weight[row] * per_row;
        gradient(i, given) = weight * error_pull * (outputs(i, given) - lessons.outcome[row]);
        if (prescribed != given) gradient(i, prescribed) = weight * prescription_pull;
    });
}

double mu_for_scaled_outcome(double mu, double sd) {
    return mu / (mu + (1 - mu) * sd);
}

}  // namespace polyrx
