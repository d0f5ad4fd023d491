// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/softmax_loss.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace polyrx {
namespace {

// Replaces scores by probabilities. Returns log(sum of exp(score)) of each lane.
Eigen::ArrayXd softmax(Block& scores) {
    const Eigen::ArrayXd highest = scores.rowwise().maxCoeff();
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(scores.rows());
    for (Eigen::Index k = 0; k < scores.cols(); ++k) {
        for (Eigen::Index lane = 0; lane < scores.rows(); ++lane)
            scores(lane, k) = std::exp(scores(lane, k) - highest[lane]);
        sum += scores.col(k);
    }
    scores.colwise() /= sum;
    for (Eigen::Index lane = 0; lane < sum.size(); ++lane) sum[lane] = highest[lane] + std::log(sum[lane]);
    return sum;
}

}  // namespace

SoftmaxLoss::SoftmaxLoss(const StandardRows& rows, std::vector<int> class_of, Eigen::Index classes, double penalty,
                         int threads)
    : rows_(rows),
      class_of_(std::move(class_of)),
      classes_(classes),
      penalty_(penalty),
      threads_(threads),
      probabilities_(static_cast<std::size_t>(rows.blocks())) {}

void SoftmaxLoss::read(Eigen::Index block, const Matrix& parameters, Reading& reading) const {
    rows_.fill(block, 1, reading.lanes);
    const Eigen::Index lanes = reading.lanes.rows();
    reading.lanes.col(rows_.inputs()).setOnes();
    reading.weights.setZero(lanes);
    for (Eigen::Index lane = 0; lane < rows_.rows_in(block); ++lane)
        reading.weights[lane] = rows_.weight(rows_.first_row(block) + lane);
    reading.scores.setZero(lanes, classes_);
    for (Eigen::Index j = 0; j < parameters.cols(); ++j)
        for (Eigen::Index k = 0; k < classes_; ++k)
            add_multiple(parameters(k, j), reading.lanes.col(j).data(), reading.scores.col(k).data(), lanes);
}

void SoftmaxLoss::add_products(const Reading& reading, Matrix& sum) {
    for (Eigen::Index j = 0; j < sum.cols(); ++j)
        for (Eigen::Index k = 0; k < reading.scores.cols(); ++k)
            sum(k, j) += dot(reading.lanes.col(j).data(), reading.scores.col(k).data(), reading.lanes.rows());
}

double SoftmaxLoss::move_to(const Matrix& parameters) {
    // One extra row: its first element is the objective.
    Matrix sum =
        sum_over_chunks(rows_, threads_, classes_ + 1, parameters.cols(), [&](Eigen::Index chunk, Matrix& part) {
            Reading reading;
            Matrix slopes = Matrix::Zero(classes_, parameters.cols());
            rows_.each_block(chunk, [&](Eigen::Index block) {
                read(block, parameters, reading);
                const Eigen::Index first = rows_.first_row(block);
                const Eigen::Index count = rows_.rows_in(block);
                for (Eigen::Index lane = 0; lane < count; ++lane)
                    part(classes_, 0) -= reading.weights[lane] * reading.scores(lane, class_at(first + lane));
                const Eigen::ArrayXd normalizer = softmax(reading.scores);
                for (Eigen::Index lane = 0; lane < count; ++lane)
                    part(classes_, 0) += reading.weights[lane] * normalizer[lane];
                probabilities_[static_cast<std::size_t>(block)] = reading.scores;
                // The derivative of f in the score of class k is w (p_k - [c = k]).
                for (Eigen::Index lane = 0; lane < count; ++lane) reading.scores(lane, class_at(first + lane)) -= 1;
                reading.scores.colwise() *= reading.weights;
                add_products(reading, slopes);
            });
            part.topRows(classes_) = slopes;
        });
    gradient_ = sum.topRows(classes_);
    add_penalty(parameters, gradient_);
    double squares = 0;
    for (Eigen::Index k = 0; k < classes_; ++k)
        for (Eigen::Index j = 0; j < rows_.inputs(); ++j) squares += parameters(k, j) * parameters(k, j);
    return sum(classes_, 0) + penalty_ / 2 * squares;
}

Matrix SoftmaxLoss::hessian_times(const Matrix& direction) const {
    Matrix product =
        sum_over_chunks(rows_, threads_, classes_, direction.cols(), [&](Eigen::Index chunk, Matrix& part) {
            Reading reading;
            Eigen::ArrayXd mean;
            rows_.each_block(chunk, [&](Eigen::Index block) {
                read(block, direction, reading);
                // The Hessian of a row in its scores is w (diag(p) - p p').
                const Block& p = probabilities_[static_cast<std::size_t>(block)];
                mean.setZero(p.rows());
                for (Eigen::Index k = 0; k < classes_; ++k) mean += p.col(k) * reading.scores.col(k);
                for (Eigen::Index k = 0; k < classes_; ++k)
                    reading.scores.col(k) = reading.weights * p.col(k) * (reading.scores.col(k) - mean);
                add_products(reading, part);
            });
        });
    add_penalty(direction, product);
    return product;
}

void SoftmaxLoss::add_penalty(const Matrix& parameters, Matrix& sum) const {
    sum.leftCols(rows_.inputs()) += penalty_ * parameters.leftCols(rows_.inputs());
}

Vector SoftmaxLoss::mean_variances() const {
    Vector sum = Vector::Zero(classes_);
    for (Eigen::Index block = 0; block < rows_.blocks(); ++block) {
        const Block& p = probabilities_[static_cast<std::size_t>(block)];
        for (Eigen::Index k = 0; k < classes_; ++k)
            for (Eigen::Index lane = 0; lane < rows_.rows_in(block); ++lane)
                sum[k] += rows_.weight(rows_.first_row(block) + lane) * p(lane, k) * (1 - p(lane, k));
    }
    return sum / rows_.total_weight();
}

double SoftmaxLoss::widest_move(const Matrix& direction) const {
    double widest = 0;
    Reading reading;
    for (Eigen::Index block = 0; block < rows_.blocks(); ++block) {
        read(block, direction, reading);
        const auto scores = reading.scores.topRows(rows_.rows_in(block));
        widest = std::max(widest, (scores.rowwise().maxCoeff() - scores.rowwise().minCoeff()).maxCoeff());
    }
    return widest;
}

}  // namespace polyrx
