// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/overlap/supported_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// The expected number of rows of similar ratio that received a treatment.
class ExpectedRows {
public:
    void add(double ratio, double propensity) { rows_.push_back({ratio, propensity}); }

    void prepare() {
        std::ranges::sort(rows_, {}, &Row::ratio);
        double sum = 0;
        for (Row& row : rows_) row.propensity = sum += row.propensity;  // cumulative
    }

    [[nodiscard]] double about(double ratio) const {
        return before(std::ranges::upper_bound(rows_, 2 * ratio, {}, &Row::ratio)) -
               before(std::ranges::lower_bound(rows_, ratio / 2, {}, &Row::ratio));
    }

private:
    struct Row {
        double ratio;
        double propensity;
    };

    [[nodiscard]] double before(std::vector<Row>::const_iterator end) const {
        return end == rows_.begin() ? 0 : std::prev(end)->propensity;
    }

    std::vector<Row> rows_;
};

}  // namespace

std::vector<TreatmentSet> supported_treatments(const Matrix& propensities, const SupportThreshold& rule) {
    check_epsilon(rule.epsilon);
    const auto rows = static_cast<std::size_t>(propensities.rows());
    const auto propensity = [&](std::size_t row, int k) { return propensities(static_cast<Eigen::Index>(row), k); };
    std::vector<TreatmentSet> supported(rows, 0);
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k) {
        if (rule.by_design) {
            for (std::size_t i = 0; i < rows; ++i)
                if (propensity(i, k) >= least_design_probability) supported[i] |= only(k);
            continue;
        }
        ExpectedRows expected;
        std::vector<double> ratios(rows);
        for (std::size_t i = 0; i < rows; ++i) {
            ratios[i] = propensity(i, k) / propensities.row(static_cast<Eigen::Index>(i)).maxCoeff();
            expected.add(ratios[i], propensity(i, k));
        }
        expected.prepare();
        for (std::size_t i = 0; i < rows; ++i)
            if (ratios[i] >= rule.epsilon / 2 &&
                (ratios[i] >= common_ratio || expected.about(ratios[i]) >= least_expected_rows))
                supported[i] |= only(k);
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
