// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/supported_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {

std::vector<TreatmentSet> supported_treatments(const Matrix& propensities, std::span<const TreatmentSet> allowed,
                                               const SupportThreshold& rule) {
    check_epsilon(rule.epsilon);
    const auto rows = static_cast<std::size_t>(propensities.rows());
    const auto treatments = static_cast<int>(propensities.cols());
    if (!allowed.empty() && allowed.size() != rows)
        throw usage_error(
            fmt::format("allowed treatments of {} rows but propensities of {} rows", allowed.size(), rows));
    const TreatmentSet everything = all_treatments(static_cast<std::size_t>(treatments));
    std::vector<TreatmentSet> supported(rows, 0);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const TreatmentSet among = allowed.empty() ? everything : allowed[i] & everything;
        if (among == 0) throw usage_error(fmt::format("row {}: the rules allow no treatment", i + 1));
        double greatest = 0;
        for (int k = 0; k < treatments; ++k)
            if (has(among, k)) greatest = std::max(greatest, propensities(row, k));
        const double least = rule.by_design ? least_design_probability : rule.epsilon / 2 * greatest;
        for (int k = 0; k < treatments; ++k)
            if (propensities(row, k) >= least) supported[i] |= only(k);
    }
    return supported;
}

std::vector<char> supported_prescriptions(std::span<const TreatmentSet> supported, std::span<const int> prescriptions) {
    if (supported.size() != prescriptions.size())
        throw usage_error(
            fmt::format("support of {} rows but {} prescriptions", supported.size(), prescriptions.size()));
    std::vector<char> result(prescriptions.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = has(supported[i], prescriptions[i]) ? 1 : 0;
    return result;
}

}  // namespace polyrx
