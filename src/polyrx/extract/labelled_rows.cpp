// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/labelled_rows.hpp"

#include <algorithm>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

LabelledRows label_rows(const ReluNetwork& network, const Domain& domain, const Matrix& rows, int threads) {
    std::vector<Eigen::Index> inside;
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        if (contains(domain, rows.row(row).transpose())) inside.push_back(row);

    LabelledRows labelled;
    labelled.outside = static_cast<std::size_t>(rows.rows()) - inside.size();
    labelled.inputs = rows(inside, Eigen::all);
    labelled.outcomes.resize(labelled.inputs.rows(), network.outputs());
    constexpr Eigen::Index block = 4096;
    const Eigen::Index blocks = (labelled.inputs.rows() + block - 1) / block;
    parallel_for(static_cast<std::size_t>(blocks), threads, [&](std::size_t index) {
        const Eigen::Index first = static_cast<Eigen::Index>(index) * block;
        const Eigen::Index count = std::min(block, labelled.inputs.rows() - first);
        labelled.outcomes.middleRows(first, count) = forward(network, labelled.inputs.middleRows(first, count));
    });
    labelled.treatment = argmin_rows(labelled.outcomes);
    return labelled;
}

}  // namespace polyrx
