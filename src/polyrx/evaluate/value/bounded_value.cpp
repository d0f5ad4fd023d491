// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/bounded_value.hpp"

#include <fmt/format.h>

#include <functional>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"

namespace polyrx {
namespace {

void check_support(const EvaluatedRows& rows, const SupportedPolicy& policy) {
    if (policy.supported.size() != rows.outcome.size())
        throw usage_error(
            fmt::format("support of {} rows was given for {} rows", policy.supported.size(), rows.outcome.size()));
}

// An estimate with the counts of another, from new terms.
ValueEstimate with_terms(const ValueEstimate& counts, RowTerms terms, std::span<const std::size_t> group) {
    ValueEstimate estimate = ratio_estimate(std::move(terms), group);
    estimate.matched = counts.matched;
    estimate.clipped = counts.clipped;
    estimate.clipped_share = counts.clipped_share;
    return estimate;
}

// The estimate with replaced outcomes for rows with an unsupported prescription.
ValueEstimate elsewhere(const ValueEstimate& estimate, const EvaluatedRows& rows, const SupportedPolicy& policy,
                        const std::function<double(std::size_t)>& outcome) {
    RowTerms terms = estimate.terms;
    for (std::size_t i = 0; i < terms.rows(); ++i)
        if (policy.supported[i] == 0) terms.numerator[i] = rows.weight_of(i) * outcome(i);
    return with_terms(estimate, std::move(terms), rows.group);
}

// `of`, with the terms of `same` in rows where both policies prescribe the same.
ValueEstimate matched_up(const EvaluatedRows& rows, const ValueEstimate& of, const ValueEstimate& same,
                         std::span<const int> prescriptions, std::span<const int> others) {
    if (!of.value || !same.value) return of;
    RowTerms terms = of.terms;
    for (std::size_t i = 0; i < terms.rows(); ++i)
        if (prescriptions[i] == others[i]) terms.numerator[i] = same.terms.numerator[i];
    return with_terms(of, std::move(terms), rows.group);
}

}  // namespace

BoundedEstimate bounded_value(const EvaluatedRows& rows, const SupportedPolicy& policy, const OutcomeRange& range,
                              double least_propensity) {
    check_support(rows, policy);
    const ValueEstimate estimate = policy_value(rows, policy.prescriptions, Estimator::dr, least_propensity);
    if (!estimate.value) return {estimate, estimate};
    const auto bound = [&](double outcome) {
        return elsewhere(estimate, rows, policy, [&, outcome](std::size_t i) {
            return rows.treatment[i] == policy.prescriptions[i] ? rows.outcome[i] : outcome;
        });
    };
    return {bound(range.least), bound(range.greatest)};
}

ValueEstimate value_where_supported(const EvaluatedRows& rows, const SupportedPolicy& policy, double least_propensity) {
    check_support(rows, policy);
    ValueEstimate estimate = policy_value(rows, policy.prescriptions, Estimator::dr, least_propensity);
    if (!estimate.value) return estimate;
    return elsewhere(estimate, rows, policy, [&](std::size_t i) { return rows.outcome[i]; });
}

BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                   const ValueEstimate& other) {
    return {policy_difference(rows, value.lower, other), policy_difference(rows, value.upper, other)};
}

BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                   const BoundedEstimate& other) {
    return {policy_difference(rows, value.lower, other.upper), policy_difference(rows, value.upper, other.lower)};
}

BoundedEstimate paired_with(const EvaluatedRows& rows, const BoundedEstimate& value, std::span<const int> prescriptions,
                            const BoundedEstimate& other, std::span<const int> other_prescriptions) {
    return {matched_up(rows, other.lower, value.upper, prescriptions, other_prescriptions),
            matched_up(rows, other.upper, value.lower, prescriptions, other_prescriptions)};
}

}  // namespace polyrx
