// SPDX-License-Identifier: Apache-2.0
// The rows of a study in the form that judge_policy() uses.
#pragma once

#include <vector>

#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/fit/recommend/judge_policy.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// Owns what rows() refers to. The study, the scores and the policy must outlive it.
class JudgingStudy {
public:
    // Support is determined from the scored propensities.
    JudgingStudy(const NetworkStudy& study, const ScoredStudy& scored, const Policy& policy);
    JudgingStudy(const JudgingStudy&) = delete;
    JudgingStudy& operator=(const JudgingStudy&) = delete;

    // The scored rows, in their order. Smaller outcomes are better.
    [[nodiscard]] JudgingRows rows() const;
    [[nodiscard]] const Matrix& encoded() const { return encoded_; }
    [[nodiscard]] const std::vector<int>& treatment() const { return treatment_; }
    [[nodiscard]] const std::vector<std::size_t>& group() const { return group_; }

private:
    const ScoredStudy& scored_;
    std::vector<int> treatment_;
    std::vector<double> outcome_;
    std::vector<double> weight_;
    std::vector<std::size_t> group_;
    Matrix encoded_;
    OutcomeRange range_;
    std::vector<TreatmentSet> supported_;
    EvaluatedRows evaluated_;
};

}  // namespace polyrx
