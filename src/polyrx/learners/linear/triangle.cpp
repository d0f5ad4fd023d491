// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// The squared remainder of a collinear column shrinks by 1e-32 from column to column, until its reflection would
// overflow. Below this it counts as 0; squares of the columns themselves are sums of weights.
constexpr double nothing = 1e-280;

}  // namespace

// No Eigen products in this file: their order of summation depends on the machine's caches.

Triangle::Triangle(Eigen::Index inputs, Eigen::Index outcomes) : rows_(Matrix::Zero(inputs, inputs + outcomes)) {}

void Triangle::absorb(Block& rows) {
    const Eigen::Index lanes = rows.rows();
    for (Eigen::Index j = 0; j < inputs(); ++j) {
        // Reflects (R_jj, column j of the block) onto its first element. The rows of R in between have zeros in column
        // j and do not change.
        double* const v = rows.col(j).data();
        const double below = dot(v, v, lanes);
        if (below < nothing) continue;
        const double before = rows_(j, j);
        const double after = before > 0 ? -std::sqrt(before * before + below) : std::sqrt(before * before + below);
        const double first = before - after;        // no cancellation: the signs differ
        const double twice = -1 / (after * first);  // 2 / |(first, v)|^2
        rows_(j, j) = after;
        for (Eigen::Index k = j + 1; k < rows_.cols(); ++k) {
            double* const column = rows.col(k).data();
            const double along = twice * (first * rows_(j, k) + dot(v, column, lanes));
            rows_(j, k) -= along * first;
            add_multiple(-along, v, column, lanes);
        }
    }
}

void Triangle::absorb(const Triangle& other, double factor) {
    for (Eigen::Index first = 0; first < other.inputs(); first += block_rows) {
        const Eigen::Index count = std::min(block_rows, other.inputs() - first);
        Block block = Block::Zero(whole_lanes(count), rows_.cols());
        block.topRows(count) = factor * other.rows_.middleRows(first, count).array();
        absorb(block);
    }
}

void Triangle::absorb_diagonal(double value) {
    Triangle diagonal(inputs(), outcomes());
    diagonal.rows_.diagonal().setConstant(value);
    absorb(diagonal);
}

void Triangle::solve_transposed(Eigen::Ref<Vector> b) const {
    for (Eigen::Index j = 0; j < inputs(); ++j) {
        b[j] /= rows_(j, j);
        for (Eigen::Index k = j + 1; k < inputs(); ++k) b[k] -= rows_(j, k) * b[j];
    }
}

void Triangle::solve(Eigen::Ref<Vector> b) const {
    for (Eigen::Index j = inputs(); j-- > 0;) {
        for (Eigen::Index k = j + 1; k < inputs(); ++k) b[j] -= rows_(j, k) * b[k];
        b[j] /= rows_(j, j);
    }
}

Triangle triangle_of(const StandardRows& rows, const Matrix& outcomes, const Vector& means, int threads) {
    std::vector<Triangle> parts(static_cast<std::size_t>(rows.chunks()), Triangle(0, 0));
    parallel_for(parts.size(), threads, [&](std::size_t chunk) {
        Triangle part(rows.inputs(), outcomes.cols());
        Block lanes;
        Eigen::ArrayXd root;
        rows.each_block(static_cast<Eigen::Index>(chunk), [&](Eigen::Index block) {
            rows.fill(block, outcomes.cols(), lanes);
            root.setZero(lanes.rows());
            lanes.rightCols(outcomes.cols()).setZero();
            for (Eigen::Index lane = 0; lane < rows.rows_in(block); ++lane) {
                const Eigen::Index row = rows.first_row(block) + lane;
                root[lane] = std::sqrt(rows.weight(row));
                for (Eigen::Index m = 0; m < outcomes.cols(); ++m)
                    lanes(lane, rows.inputs() + m) = outcomes(rows.origin(row), m) - means[m];
            }
            lanes.colwise() *= root;
            part.absorb(lanes);
        });
        parts[chunk] = std::move(part);
    });
    for (std::size_t chunk = 1; chunk < parts.size(); ++chunk) parts[0].absorb(parts[chunk]);
    return std::move(parts[0]);
}

}  // namespace polyrx
