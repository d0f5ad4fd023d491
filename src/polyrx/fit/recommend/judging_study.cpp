// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend/judging_study.hpp"

#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/fit/minimized_outcome.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

JudgingStudy::JudgingStudy(const NetworkStudy& study, const ScoredStudy& scored, const Policy& policy)
    : scored_(scored),
      encoded_(study.encoded(scored.rows, Eigen::all)),
      evaluated_{{}, {}, scored.nuisances.outcomes, scored.nuisances.propensities} {
    const Observations& observations = study.observations;
    std::vector<double> received;  // outcomes in the user's direction
    for (const std::size_t row : scored.rows) {
        treatment_.push_back(observations.treatment[row]);
        outcome_.push_back(study.outcome[row]);
        received.push_back(observations.outcome[row]);
        if (!observations.weight.empty()) weight_.push_back(observations.weight[row]);
    }
    if (!observations.group.empty()) group_ = picked(observations.group, scored.rows);
    evaluated_.treatment = treatment_;
    evaluated_.outcome = outcome_;
    evaluated_.weight = weight_;
    evaluated_.group = group_;
    range_ = scored.range ? *scored.range : minimized_range(outcome_range(received), policy.objective);
    supported_ = supported_treatments(scored.nuisances.propensities,
                                      {.epsilon = judging_epsilon(policy.rules.support), .by_design = scored.design});
}

JudgingRows JudgingStudy::rows() const {
    return {evaluated_, supported_, range_, false, scored_.design};
}

}  // namespace polyrx
