// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend/scored_study.hpp"

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

// From this number on, uses two folds instead of five to save time. The number was chosen, not measured.
constexpr std::size_t enough_rows_for_two_folds = 4'000;
constexpr std::size_t least_rows = 20;

}  // namespace

std::optional<ScoredStudy> score_study(const NetworkStudy& study, bool outcomes, std::uint64_t seed, int threads,
                                       const Progress& progress) {
    const Observations& observations = study.observations;
    if (observations.rows() < least_rows) return std::nullopt;
    ScoredStudy scored;
    scored.design = observations.has_design();
    scored.rows = every_row(observations.rows());
    if (scored.rows.size() > many_rows) {
        scored.rows = stratified_sample(observations.treatment, most_training_rows, seed);
        scored.drawn = true;
    }
    const TreatedRows treated{study.features, observations.treatment, static_cast<int>(observations.treatments.size()),
                              study.outcome, observations.weight};
    NuisanceOptions options;
    options.folds = folds_for(observations.group, scored.rows.size() < enough_rows_for_two_folds ? 5 : 2);
    options.outcome = outcomes ? OutcomeModel::stack : OutcomeModel::none;
    options.propensity.model = PropensityModel::stack;
    options.least_rows = 1;
    options.seed = seed;
    options.threads = threads;
    try {
        scored.nuisances = cross_fit(treated, scored.rows, options,
                                     {.group = observations.group,
                                      .propensities = observations.known_design(),
                                      .labels = observations.treatments},
                                     progress);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::data)
            return std::nullopt;  // the error says that a treatment or fold is too small
        throw;
    }
    return scored;
}

SupportStudy support_study(const NetworkStudy& study, const ScoredStudy* scored) {
    const Observations& observations = study.observations;
    SupportStudy of{
        study.encoder,       study.encoded,     study.features, observations.treatment, observations.treatments.size(),
        observations.weight, observations.group};
    of.design = observations.known_design();
    if (!scored) return of;
    of.reference_rows = scored->rows;
    of.reference = &scored->nuisances.propensities;
    return of;
}

}  // namespace polyrx
