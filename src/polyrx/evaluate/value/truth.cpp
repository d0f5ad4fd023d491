// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/truth.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {

Matrix truth_matrix(const Table& table, std::span<const std::string> columns) {
    Matrix truth(static_cast<Eigen::Index>(table.rows()), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto* numeric = std::get_if<NumericColumn>(&table.at(columns[k]).values);
        if (numeric == nullptr)
            throw data_error(
                fmt::format("{}: column '{}' is not numeric, but the truth is outcomes", table.where(), columns[k]));
        for (std::size_t row = 0; row < table.rows(); ++row) {
            if (!std::isfinite(numeric->values[row]))
                throw data_error(fmt::format("{}: column '{}': expected the true outcome, a finite number",
                                             table.where(row), columns[k]));
            truth(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(k)) = numeric->values[row];
        }
    }
    return truth;
}

TruthScore score_against_truth(std::span<const int> prescriptions, const Matrix& truth, bool larger_is_better) {
    if (static_cast<Eigen::Index>(prescriptions.size()) != truth.rows())
        throw usage_error(fmt::format("{} prescriptions but {} rows of truth", prescriptions.size(), truth.rows()));
    for (const int prescription : prescriptions)
        if (prescription < 0 || prescription >= truth.cols())
            throw usage_error(fmt::format("prescription {} is none of {} treatments", prescription, truth.cols()));
    TruthScore score;
    score.rows = prescriptions.size();
    score.treatment_outcomes.resize(static_cast<std::size_t>(truth.cols()));
    score.treatment_accuracies.resize(static_cast<std::size_t>(truth.cols()));
    if (score.rows == 0) throw data_error("there are no rows to evaluate");

    for (Eigen::Index i = 0; i < truth.rows(); ++i) {
        const double best = larger_is_better ? truth.row(i).maxCoeff() : truth.row(i).minCoeff();
        const double prescribed = truth(i, prescriptions[static_cast<std::size_t>(i)]);
        score.accuracy += prescribed == best ? 1 : 0;
        score.regret += larger_is_better ? best - prescribed : prescribed - best;
        score.outcome += prescribed;
        score.best_outcome += best;
        for (Eigen::Index k = 0; k < truth.cols(); ++k) {
            score.treatment_outcomes[static_cast<std::size_t>(k)] += truth(i, k);
            score.treatment_accuracies[static_cast<std::size_t>(k)] += truth(i, k) == best ? 1 : 0;
        }
    }
    const auto mean = [n = static_cast<double>(score.rows)](double& sum) { sum /= n; };
    mean(score.accuracy);
    mean(score.regret);
    mean(score.outcome);
    mean(score.best_outcome);
    for (double& sum : score.treatment_outcomes) mean(sum);
    for (double& sum : score.treatment_accuracies) mean(sum);
    return score;
}

}  // namespace polyrx
