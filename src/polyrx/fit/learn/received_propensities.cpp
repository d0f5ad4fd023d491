// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/received_propensities.hpp"

#include "polyrx/core/every_row.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

std::vector<double> received_of(const Matrix& propensities, std::span<const int> treatment) {
    std::vector<double> received;
    for (std::size_t i = 0; i < treatment.size(); ++i)
        received.push_back(propensities(static_cast<Eigen::Index>(i), treatment[i]));
    return received;
}

}  // namespace

std::vector<double> received_propensities(const NetworkStudy& study, std::uint64_t seed, int threads,
                                          const Progress& progress) {
    const Observations& observations = study.observations;
    if (observations.has_design()) return received_of(observations.design, observations.treatment);
    const TreatedRows treated{study.features, observations.treatment, static_cast<int>(observations.treatments.size()),
                              study.outcome,  observations.weight,    observations.group};
    const std::vector<std::size_t> rows = every_row(observations.rows());
    NuisanceOptions options;
    options.folds = folds_for(treated.group, options.folds);
    options.outcome = OutcomeModel::none;
    options.least_rows = 1;
    options.seed = seed;
    options.threads = threads;
    const Matrix propensities =
        cross_fit(treated, rows, options, {.group = treated.group, .labels = observations.treatments}, progress)
            .propensities;
    return received_of(propensities, observations.treatment);
}

}  // namespace polyrx
