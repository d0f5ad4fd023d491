// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/judging_study.hpp"

#include "polyrx/data/split.hpp"
#include "polyrx/evaluate/supported_rows.hpp"

namespace polyrx {

JudgingStudy::JudgingStudy(const NetworkStudy& study, const ScoredStudy& scored, const Policy& policy)
    : scored_(scored),
      encoded_(study.encoded(scored.rows, Eigen::all)),
      evaluated_{{}, {}, scored.nuisances.outcomes, scored.nuisances.propensities} {
    const Observations& observations = study.observations;
    for (const std::size_t row : scored.rows) {
        treatment_.push_back(observations.treatment[row]);
        outcome_.push_back(study.outcome[row]);
        if (!observations.weight.empty()) weight_.push_back(observations.weight[row]);
    }
    if (!observations.group.empty()) group_ = picked(observations.group, scored.rows);
    evaluated_.treatment = treatment_;
    evaluated_.outcome = outcome_;
    evaluated_.weight = weight_;
    evaluated_.group = group_;
    const std::size_t treatments = policy.treatments.size();
    std::vector<TreatmentSet> allowed(scored.rows.size(), all_treatments(treatments));
    if (!policy.rules.bound.rules().empty()) {
        allowed = policy.rules.bound.allowed(encoded_);
        for (TreatmentSet& set : allowed)
            if (set == 0) set = all_treatments(treatments);  // nothing is prescribed there
    }
    supported_ = supported_treatments(scored.nuisances.propensities, allowed,
                                      {.epsilon = judging_epsilon(policy.rules.support), .by_design = scored.design});
}

JudgingRows JudgingStudy::rows() const {
    return {evaluated_, supported_, scored_.range.value_or(outcome_range(outcome_)), false, scored_.design};
}

}  // namespace polyrx
