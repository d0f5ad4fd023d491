// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/truth.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"

namespace polyrx {

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
