// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/standard_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// Large enough to keep a thread busy and to make merging triangles of inputs x inputs cheap.
Eigen::Index chunk_size(Eigen::Index inputs) {
    return std::max<Eigen::Index>(64, (32 * inputs + block_rows - 1) / block_rows);
}

}  // namespace

StandardRows::StandardRows(const Matrix& inputs, const Vector& weights, int threads)
    : inputs_(&inputs), blocks_per_chunk_(chunk_size(inputs.cols())) {
    if (weights.size() != 0 && weights.size() != inputs.rows())
        throw usage_error(fmt::format("{} weights were given for {} rows", weights.size(), inputs.rows()));
    if (weights.size() == 0) weights_.assign(static_cast<std::size_t>(inputs.rows()), 1);
    for (Eigen::Index row = 0; row < weights.size(); ++row) {
        const double weight = weights[row];
        if (!(weight >= 0) || std::isinf(weight))
            throw usage_error(
                fmt::format("weights must be finite and at least 0, but row {} has weight {}", row, weight));
        if (weight == 0) continue;
        kept_.push_back(row);
        weights_.push_back(weight);
    }
    if (weights_.empty()) throw usage_error("a linear model needs at least one row whose weight is above 0");
    if (rows() == inputs.rows()) kept_.clear();
    for (const double weight : weights_) total_weight_ += weight;
    measure(threads);
}

void StandardRows::each_block(Eigen::Index chunk, const std::function<void(Eigen::Index)>& work) const {
    const Eigen::Index end = std::min(blocks(), (chunk + 1) * blocks_per_chunk_);
    for (Eigen::Index block = chunk * blocks_per_chunk_; block < end; ++block) work(block);
}

void StandardRows::measure(int threads) {
    const Eigen::Index columns = inputs_->cols();
    const auto each_row = [&](Eigen::Index chunk, const auto& work) {
        each_block(chunk, [&](Eigen::Index block) {
            for (Eigen::Index row = first_row(block); row < first_row(block) + rows_in(block); ++row)
                work(inputs_->row(origin(row)).array(), weight(row));
        });
    };

    low_ = inputs_->row(origin(0));
    Vector high = low_;
    for (Eigen::Index row = 1; row < rows(); ++row) {
        low_ = low_.cwiseMin(inputs_->row(origin(row)).transpose());
        high = high.cwiseMax(inputs_->row(origin(row)).transpose());
    }
    scale_ = Vector::Zero(columns);
    for (Eigen::Index j = 0; j < columns; ++j)
        if (low_[j] < high[j]) {
            // Uses half of each bound, because the range may overflow a double, and clamps the exponent to a valid one.
            const int exponent = std::ilogb(high[j] / 2 - low_[j] / 2) + 1;
            scale_[j] = std::ldexp(1.0, std::min(-exponent, 1000));
        }
    const Eigen::RowVectorXd scale = scale_;
    const Eigen::RowVectorXd scaled_low = scale_.cwiseProduct(low_);

    mean_ = sum_over_chunks(*this, threads, 1, columns, [&](Eigen::Index chunk, Matrix& sum) {
                each_row(chunk, [&](const auto& row, double weight) {
                    sum.array() += weight * (row * scale.array() - scaled_low.array());
                });
            }).transpose();
    mean_ /= total_weight_;
    const Eigen::RowVectorXd mean = mean_;
    const Matrix squares = sum_over_chunks(*this, threads, 1, columns, [&](Eigen::Index chunk, Matrix& sum) {
        each_row(chunk, [&](const auto& row, double weight) {
            sum.array() += weight * (row * scale.array() - scaled_low.array() - mean.array()).square();
        });
    });

    for (Eigen::Index j = 0; j < columns; ++j)
        if (squares(0, j) > 0) varying_.push_back(j);
    per_deviation_.resize(inputs());
    raw_per_standard_.resize(inputs());
    for (Eigen::Index v = 0; v < inputs(); ++v) {
        const Eigen::Index j = varying_[static_cast<std::size_t>(v)];
        const double deviation = std::sqrt(squares(0, j) / total_weight_);
        per_deviation_[v] = 1 / deviation;
        raw_per_standard_[v] = scale_[j] / deviation;
    }
}

void StandardRows::fill(Eigen::Index block, Eigen::Index more, Block& lanes) const {
    const Eigen::Index first = first_row(block);
    const Eigen::Index count = rows_in(block);
    lanes.resize(whole_lanes(count), inputs() + more);
    for (Eigen::Index lane = 0; lane < count; ++lane) {
        const double* const row = inputs_->data() + origin(first + lane) * inputs_->cols();
        for (Eigen::Index v = 0; v < inputs(); ++v) {
            const Eigen::Index j = varying_[static_cast<std::size_t>(v)];
            lanes(lane, v) = (row[j] * scale_[j] - low_[j] * scale_[j] - mean_[j]) * per_deviation_[v];
        }
    }
    for (Eigen::Index v = 0; v < inputs(); ++v) lanes.col(v).tail(lanes.rows() - count).setZero();
}

Vector StandardRows::spread_out(const Vector& varying_only) const {
    Vector all = Vector::Zero(inputs_->cols());
    for (Eigen::Index v = 0; v < inputs(); ++v) all[varying_[static_cast<std::size_t>(v)]] = varying_only[v];
    return all;
}

Vector StandardRows::raw_weights(const Eigen::Ref<const Vector>& standard) const {
    return spread_out(standard.cwiseProduct(raw_per_standard_));
}

double StandardRows::shift(const Vector& raw) const {
    double sum = 0;
    for (const Eigen::Index j : varying_) sum += raw[j] * (low_[j] + mean_[j] / scale_[j]);
    return sum;
}

Matrix sum_over_chunks(const StandardRows& rows, int threads, Eigen::Index sum_rows, Eigen::Index sum_columns,
                       const std::function<void(Eigen::Index chunk, Matrix& sum)>& add) {
    std::vector<Matrix> sums(static_cast<std::size_t>(rows.chunks()));
    parallel_for(sums.size(), threads, [&](std::size_t chunk) {
        Matrix sum = Matrix::Zero(sum_rows, sum_columns);
        add(static_cast<Eigen::Index>(chunk), sum);
        sums[chunk] = std::move(sum);
    });
    Matrix total = Matrix::Zero(sum_rows, sum_columns);
    for (const Matrix& sum : sums) total += sum;
    return total;
}

}  // namespace polyrx
