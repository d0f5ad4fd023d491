// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/linear_inputs.hpp"

#include <cmath>

namespace polyrx {
namespace {

struct FeatureSummary {
    double mean = 0;  // of the values that are not missing
    bool missing = false;
};

FeatureSummary summarize(const auto& values, std::span<const std::size_t> rows) {
    FeatureSummary summary;
    double count = 0;
    for (const std::size_t row : rows) {
        const double value = values[static_cast<Eigen::Index>(row)];
        if (std::isnan(value)) {
            summary.missing = true;
            continue;
        }
        count += 1;
        summary.mean += (value - summary.mean) / count;  // a running mean, because a sum of large values could overflow
    }
    return summary;
}

}  // namespace

Matrix linear_inputs(const FeatureRows& features, std::span<const std::size_t> rows) {
    std::vector<FeatureSummary> summaries;
    Eigen::Index columns = 0;
    for (std::size_t f = 0; f < features.features(); ++f) {
        summaries.push_back(summarize(features.values.col(static_cast<Eigen::Index>(f)), rows));
        columns += std::max(1, features.levels[f]) + (summaries.back().missing ? 1 : 0);
    }
    Matrix inputs = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), columns);
    Eigen::Index first = 0;
    for (std::size_t f = 0; f < features.features(); ++f) {
        const Eigen::Index width = std::max(1, features.levels[f]);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto to = static_cast<Eigen::Index>(i);
            const double value = features.values(static_cast<Eigen::Index>(rows[i]), static_cast<Eigen::Index>(f));
            if (std::isnan(value)) inputs(to, first + width) = 1;
            if (features.levels[f] == 0)
                inputs(to, first) = std::isnan(value) ? summaries[f].mean : value;
            else if (!std::isnan(value))
                inputs(to, first + static_cast<Eigen::Index>(value)) = 1;
        }
        first += width + (summaries[f].missing ? 1 : 0);
    }
    return inputs;
}

}  // namespace polyrx
