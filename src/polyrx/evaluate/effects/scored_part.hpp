// SPDX-License-Identifier: Apache-2.0
// Values of a policy and of treatments on a subset of the scored rows. They are bounds where treatments are not
// supported, and not estimable where too few rows received them.
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
    // The mean outcome if every row receives its prescription, or treatment k.
    [[nodiscard]] MeanEstimate policy() const;
    [[nodiscard]] MeanEstimate constant(int k) const;
    // The gain of the policy over treatment k for all, paired by row: 0 where the policy prescribes k, otherwise the
    // worst bound of one minus the best bound of the other.
    [[nodiscard]] MeanEstimate gain_over(int k) const;

    // The effective number of rows that received k (or the prescription) and for which it is supported.
    [[nodiscard]] double effective_rows(int k) const;
    [[nodiscard]] double effective_rows_of_policy() const;
    // The weighted share of rows for which k (or the prescription) is not supported.
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
