// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/labeled_rows.hpp"

#include <algorithm>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx {

namespace {

Matrix forward_in_blocks(const ReluNetwork& network, const Matrix& rows, int threads) {
    Matrix outcomes(rows.rows(), network.outputs());
    constexpr Eigen::Index block = 4096;
    const Eigen::Index blocks = (rows.rows() + block - 1) / block;
    parallel_for(static_cast<std::size_t>(blocks), threads, [&](std::size_t index) {
        const Eigen::Index first = static_cast<Eigen::Index>(index) * block;
        const Eigen::Index count = std::min(block, rows.rows() - first);
        outcomes.middleRows(first, count) = forward(network, rows.middleRows(first, count));
    });
    return outcomes;
}

}  // namespace

LabeledRows label_rows(const ReluNetwork& network, const BoundRules& rules, const Domain& domain, const Matrix& rows,
                       int threads) {
    std::vector<Eigen::Index> inside;
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        if (contains(domain, rows.row(row).transpose())) inside.push_back(row);

    LabeledRows labeled;
    labeled.given = inside.size();
    labeled.inputs = rows(inside, Eigen::all);
    labeled.outcomes = forward_in_blocks(network, labeled.inputs, threads);
    labeled.treatment = choose(rules, labeled.inputs, labeled.outcomes);
    return labeled;
}

void add_drawn(LabeledRows& labeled, const Matrix& drawn, const ReluNetwork& network, const BoundRules& rules,
               int threads) {
    const Matrix outcomes = forward_in_blocks(network, drawn, threads);
    const std::vector<int> treatment = choose(rules, drawn, outcomes);
    labeled.inputs.conservativeResize(labeled.inputs.rows() + drawn.rows(), Eigen::NoChange);
    labeled.inputs.bottomRows(drawn.rows()) = drawn;
    labeled.outcomes.conservativeResize(labeled.inputs.rows(), Eigen::NoChange);
    labeled.outcomes.bottomRows(drawn.rows()) = outcomes;
    labeled.treatment.insert(labeled.treatment.end(), treatment.begin(), treatment.end());
}

}  // namespace polyrx
