// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/scored_part.hpp"

namespace polyrx {

template <class TreatmentOf>
double ScoredPart::effective(const TreatmentOf& treatment_of) const {
    EffectiveRows effective;
    for (const std::size_t row : members_) {
        const int k = treatment_of(row);
        if (rows_.treatment[row] == k && rows_.is_supported(row, k)) effective.add(rows_.inverse_weight(row, k));
    }
    return effective.count();
}

template <class TreatmentOf>
MeanEstimate ScoredPart::value(const TreatmentOf& treatment_of) const {
    std::vector<double> lower;
    std::vector<double> upper;
    for (const std::size_t row : members_) {
        lower.push_back(rows_.lower(row, treatment_of(row)));
        upper.push_back(rows_.upper(row, treatment_of(row)));
    }
    return estimate_bounded_mean(lower, upper, sampled_.sampling());
}

MeanEstimate ScoredPart::observed() const {
    std::vector<double> outcomes;
    for (const std::size_t row : members_) outcomes.push_back(rows_.outcome[row]);
    return estimate_mean(outcomes, sampled_.sampling());
}

MeanEstimate ScoredPart::policy() const {
    return value([&](std::size_t row) { return rows_.prescriptions[row]; });
}

MeanEstimate ScoredPart::constant(int k) const {
    return value([&](std::size_t) { return k; });
}

MeanEstimate ScoredPart::gain_over(int k) const {
    std::vector<double> lower;
    std::vector<double> upper;
    for (const std::size_t row : members_) {
        const int prescribed = rows_.prescriptions[row];
        double least = 0;
        double most = 0;
        if (prescribed != k) {
            least = rows_.gain(rows_.lower(row, prescribed), rows_.upper(row, k));
            most = rows_.gain(rows_.upper(row, prescribed), rows_.lower(row, k));
        }
        lower.push_back(std::min(least, most));
        upper.push_back(std::max(least, most));
    }
    return estimate_bounded_mean(lower, upper, sampled_.sampling());
}

double ScoredPart::effective_rows(int k) const {
    return effective([&](std::size_t) { return k; });
}

double ScoredPart::effective_rows_of_policy() const {
    return effective([&](std::size_t row) { return rows_.prescriptions[row]; });
}

double ScoredPart::unsupported_share(int k) const {
    WeightedMean share;
    for (const std::size_t row : members_) share.add(rows_.is_supported(row, k) ? 0 : 1, rows_.sampling.weight_of(row));
    return share.total > 0 ? share.mean() : 0;
}

}  // namespace polyrx
