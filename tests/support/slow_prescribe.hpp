// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of a Scorer: one row after the other, with nothing prepared.
#pragma once

#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx::test {

inline Prescriptions slow_prescribe(const Policy& policy, const Table& table, Unseen unseen) {
    Prescriptions given;
    given.outcomes.resize(static_cast<Eigen::Index>(table.rows()), static_cast<Eigen::Index>(policy.treatments.size()));
    const bool negated = policy.objective == Objective::max || kind_of(policy) == ScoreKind::votes;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const Table alone = table.take(std::vector{row});
        const Matrix encoded = policy.encoder.encode(alone, unseen);
        const Matrix outputs = outputs_of(policy, encoded, feature_rows(policy.encoder, alone, unseen));
        const std::vector<int> chosen = {best_of(policy.rules.bound.supported(encoded.data()), outputs.row(0))};
        given.treatment.push_back(chosen.front());
        given.reasons.push_back(reasons_of(policy.rules.bound, encoded, outputs, chosen).front());
        given.outcomes.row(static_cast<Eigen::Index>(row)) = negated ? Matrix(-outputs) : outputs;
    }
    return given;
}

}  // namespace polyrx::test
