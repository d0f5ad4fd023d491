// SPDX-License-Identifier: Apache-2.0
// Some of the scored rows, and what policy and treatments come to among them: bounded where they are not supported, and
// not estimable where too few rows received them.
#pragma once

#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"

namespace polyrx {

class ScoredPart {
public:
    ScoredPart(const ScoredRows& rows, std::vector<std::size_t> members)
        : rows_(rows), members_(std::move(members)), sampled_(rows.sampling, members_) {}

    [[nodiscard]] const std::vector<std::size_t>& members() const { return members_; }

    [[nodiscard]] MeanEstimate observed() const;
    // Of giving everybody the prescription, or one treatment.
    [[nodiscard]] MeanEstimate policy() const;
    [[nodiscard]] MeanEstimate constant(int k) const;
    // How much better the policy is than one treatment for all, paired by row: 0 where the policy prescribes it, else
    // the worst of one against the best of the other.
    [[nodiscard]] MeanEstimate gain_over(int k) const;

    // Of the rows that received the treatment (or the prescription) and for which it is supported.
    [[nodiscard]] double effective_rows(int k) const;
    [[nodiscard]] double effective_rows_of_policy() const;
    // Share of the weight of the rows for which it is not supported.
    [[nodiscard]] double unsupported_share(int k) const;

private:
    template <class TreatmentOf>
    [[nodiscard]] double effective(const TreatmentOf& treatment_of) const;
    template <class TreatmentOf>
    [[nodiscard]] MeanEstimate value(const TreatmentOf& treatment_of) const;

    const ScoredRows& rows_;
    std::vector<std::size_t> members_;
    SampledPart sampled_;
};

}  // namespace polyrx
