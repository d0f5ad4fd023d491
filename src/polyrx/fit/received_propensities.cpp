// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/received_propensities.hpp"

#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/nuisances.hpp"

namespace polyrx {

std::vector<double> received_propensities(const NetworkStudy& study, std::uint64_t seed, int threads,
                                          const Progress& progress) {
    const FeatureRows features = feature_rows(study.encoder, study.encoded);
    const Observations& observations = study.observations;
    const TreatedRows treated{features, observations.treatment, static_cast<int>(observations.treatments.size()),
                              study.outcome, observations.weight};
    const std::vector<std::size_t> rows = every_row(observations.rows());
    NuisanceOptions options;
    options.outcome = OutcomeModel::none;
    options.least_rows = 1;
    options.seed = seed;
    options.threads = threads;
    const Matrix propensities =
        cross_fit(treated, rows, options, {.labels = observations.treatments}, progress).propensities;
    std::vector<double> received;
    for (std::size_t i = 0; i < rows.size(); ++i)
        received.push_back(propensities(static_cast<Eigen::Index>(i), observations.treatment[i]));
    return received;
}

}  // namespace polyrx
