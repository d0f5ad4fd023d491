// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/supported_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// What rules allow each row.
class Allowed {
public:
    Allowed(const Matrix& propensities, std::span<const TreatmentSet> allowed)
        : propensities_(propensities),
          allowed_(allowed),
          everything_(all_treatments(static_cast<std::size_t>(propensities.cols()))) {
        const auto rows = static_cast<std::size_t>(propensities.rows());
        if (!allowed.empty() && allowed.size() != rows)
            throw usage_error(
                fmt::format("allowed treatments of {} rows but propensities of {} rows", allowed.size(), rows));
        for (std::size_t i = 0; i < rows; ++i)
            if (of(i) == 0) throw usage_error(fmt::format("row {}: the rules allow no treatment", i + 1));
    }

    [[nodiscard]] TreatmentSet of(std::size_t row) const {
        return allowed_.empty() ? everything_ : allowed_[row] & everything_;
    }

    [[nodiscard]] double largest_propensity(std::size_t row) const {
        double largest = 0;
        for (int k = 0; k < static_cast<int>(propensities_.cols()); ++k)
            if (has(of(row), k)) largest = std::max(largest, propensities_(static_cast<Eigen::Index>(row), k));
        return largest;
    }

private:
    const Matrix& propensities_;
    std::span<const TreatmentSet> allowed_;
    TreatmentSet everything_;
};

// The ratio up to which the rows with the lowest ratios are expected to hold least_rows_in_tail that received it.
double end_of_tail(const Matrix& propensities, const Allowed& allowed, int treatment) {
    struct Row {
        double ratio;
        double propensity;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < static_cast<std::size_t>(propensities.rows()); ++i) {
        if (!has(allowed.of(i), treatment)) continue;
        const double propensity = propensities(static_cast<Eigen::Index>(i), treatment);
        const double largest = allowed.largest_propensity(i);
        if (propensity < largest_least_ratio * largest) rows.push_back({propensity / largest, propensity});
    }
    std::ranges::sort(rows, {}, &Row::ratio);
    double expected = 0;
    for (const Row& row : rows) {
        expected += row.propensity;
        if (expected >= least_rows_in_tail) return row.ratio;
    }
    return largest_least_ratio;
}

}  // namespace

std::vector<double> least_ratios(const Matrix& propensities, std::span<const TreatmentSet> allowed, double epsilon) {
    check_epsilon(epsilon);
    const Allowed among(propensities, allowed);
    std::vector<double> ratios;
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k)
        ratios.push_back(std::max(epsilon / 2, end_of_tail(propensities, among, k)));
    return ratios;
}

std::vector<TreatmentSet> supported_treatments(const Matrix& propensities, std::span<const TreatmentSet> allowed,
                                               const SupportThreshold& rule) {
    const std::vector<double> ratios = least_ratios(propensities, allowed, rule.epsilon);
    const Allowed among(propensities, allowed);
    std::vector<TreatmentSet> supported(static_cast<std::size_t>(propensities.rows()), 0);
    for (std::size_t i = 0; i < supported.size(); ++i) {
        const double largest = among.largest_propensity(i);
        for (int k = 0; k < static_cast<int>(propensities.cols()); ++k) {
            const double least =
                rule.by_design ? least_design_probability : ratios[static_cast<std::size_t>(k)] * largest;
            if (propensities(static_cast<Eigen::Index>(i), k) >= least) supported[i] |= only(k);
        }
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
