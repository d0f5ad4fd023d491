// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/scored_study.hpp"

#include <algorithm>

#include "polyrx/core/every_row.hpp"
#include "polyrx/data/split.hpp"
#include "polyrx/encode/feature_rows.hpp"

namespace polyrx {
namespace {

// Half of so many rows teach the nuisance models nearly as much as four fifths, in a quarter of the time.
constexpr std::size_t enough_rows_for_two_folds = 4'000;

}  // namespace

bool can_be_scored(const NetworkStudy& study) {
    constexpr std::size_t least_rows = 20;
    const Observations& observations = study.observations;
    if (observations.rows() < least_rows) return false;
    std::vector<std::size_t> count(observations.treatments.size());
    for (const int treatment : observations.treatment) ++count[static_cast<std::size_t>(treatment)];
    return std::ranges::all_of(count, [](std::size_t rows) { return rows >= 2; });
}

ScoredStudy score_study(const NetworkStudy& study, bool outcomes, const StudyDesign& design, std::uint64_t seed,
                        int threads, const Progress& progress) {
    const Observations& observations = study.observations;
    ScoredStudy scored;
    scored.design = design.propensities != nullptr;
    scored.rows = every_row(observations.rows());
    if (scored.rows.size() > many_rows) {
        const double share = static_cast<double>(drawn_rows) / static_cast<double>(observations.rows());
        scored.rows = stratified_split(observations.treatment, share, seed).held_out;
        scored.drawn = true;
    }
    const FeatureRows features = feature_rows(study.encoder, study.encoded);
    const TreatedRows treated{features, observations.treatment, static_cast<int>(observations.treatments.size()),
                              study.outcome, observations.weight};
    NuisanceOptions options;
    options.folds = scored.rows.size() < enough_rows_for_two_folds ? 5 : 2;
    options.outcome = outcomes ? OutcomeModel::stack : OutcomeModel::none;
    options.propensity.model = PropensityModel::stack;
    options.least_rows = 1;
    options.seed = seed;
    options.threads = threads;
    scored.nuisances = cross_fit(treated, scored.rows, options, design, progress);
    return scored;
}

}  // namespace polyrx
