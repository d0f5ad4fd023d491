// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/compared_policies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// The value of a constant on some of the rows; empty if none of them received the treatment.
std::optional<double> value_on(const ValueEstimate& constant, int treatment, const EvaluatedRows& rows,
                               std::span<const std::size_t> some) {
    if (!constant.value) return std::nullopt;
    double numerator = 0;
    double denominator = 0;
    bool seen = !constant.standard_error;  // the direct method has a value even for treatments that no row received
    for (const std::size_t row : some) {
        numerator += constant.terms.numerator[row];
        denominator += constant.terms.denominator[row];
        seen = seen || (rows.treatment[row] == treatment && rows.weight_of(row) > 0);
    }
    if (!seen || denominator == 0) return std::nullopt;
    return numerator / denominator;
}

}  // namespace

std::vector<ValueEstimate> values_of_constants(const EvaluatedRows& rows, Estimator estimator,
                                               double least_propensity) {
    std::vector<ValueEstimate> constants;
    for (int k = 0; k < rows.treatments(); ++k)
        constants.push_back(policy_value(rows, std::vector<int>(rows.outcome.size(), k), estimator, least_propensity));
    return constants;
}

CrossFittedConstant best_constant(const EvaluatedRows& rows, std::span<const ValueEstimate> constants,
                                  std::span<const RowSplit> folds, bool larger_is_better) {
    CrossFittedConstant result;
    result.prescriptions.resize(rows.outcome.size(), -1);
    for (std::size_t f = 0; f < folds.size(); ++f) {
        std::optional<double> best;
        int chosen = -1;
        for (int k = 0; k < rows.treatments(); ++k) {
            const std::optional<double> value =
                value_on(constants[static_cast<std::size_t>(k)], k, rows, folds[f].kept);
            if (!value || (best && (larger_is_better ? *value <= *best : *value >= *best))) continue;
            best = value;
            chosen = k;
        }
        if (chosen < 0)
            throw data_error(
                fmt::format("no treatment has a value on the rows outside of fold {} of {}", f + 1, folds.size()));
        result.by_fold.push_back(chosen);
        for (const std::size_t row : folds[f].held_out) result.prescriptions[row] = chosen;
    }
    if (std::ranges::find(result.prescriptions, -1) != result.prescriptions.end())
        throw usage_error(fmt::format("{} folds do not hold out each of {} rows", folds.size(), rows.outcome.size()));
    if (std::ranges::count(result.by_fold, result.by_fold.front()) == std::ssize(result.by_fold))
        result.for_all = result.by_fold.front();
    return result;
}

ValueEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                              std::span<const ValueEstimate> constants) {
    const std::size_t count = rows.outcome.size();
    if (prescriptions.size() != count)
        throw usage_error(fmt::format("{} prescriptions were given for {} rows", prescriptions.size(), count));
    double total = 0;
    std::vector<double> given(static_cast<std::size_t>(rows.treatments()));
    for (std::size_t i = 0; i < count; ++i) {
        total += rows.weight_of(i);
        given[static_cast<std::size_t>(prescriptions[i])] += rows.weight_of(i);
    }
    // Let value_p be the value of a row's prescription. The sum of weight times value_p is total * sum_k share_k
    // value_k, so these terms include the row's effect on the shares.
    RowTerms terms{std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t i = 0; i < count; ++i) terms.denominator[i] = rows.weight_of(i);
    std::size_t clipped = 0;
    bool sure = true;
    for (int k = 0; k < rows.treatments(); ++k) {
        const double share = given[static_cast<std::size_t>(k)] / total;
        if (share == 0) continue;
        const ValueEstimate& constant = constants[static_cast<std::size_t>(k)];
        if (!constant.value || share == 1) return constant;  // exactly equal
        const std::vector<double> influence = influence_of(constant.terms);
        for (std::size_t i = 0; i < count; ++i) {
            terms.numerator[i] += total * share * influence[i];
            if (prescriptions[i] == k) terms.numerator[i] += rows.weight_of(i) * *constant.value;
        }
        clipped += constant.clipped;
        sure = sure && constant.standard_error;
    }
    ValueEstimate result = ratio_estimate(std::move(terms), rows.group);
    result.matched = count;
    result.clipped = clipped;
    result.clipped_share = static_cast<double>(clipped) / static_cast<double>(count);
    return sure ? result : without_standard_error(std::move(result));
}

BoundedEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                std::span<const BoundedEstimate> constants) {
    const auto bound = [&](ValueEstimate BoundedEstimate::* which) {
        std::vector<ValueEstimate> values;
        for (const BoundedEstimate& constant : constants) values.push_back(constant.*which);
        return value_of_random(rows, prescriptions, values);
    };
    return {bound(&BoundedEstimate::lower), bound(&BoundedEstimate::upper)};
}

BoundedEstimate random_paired_with(const EvaluatedRows& rows, const BoundedEstimate& value,
                                   std::span<const int> prescriptions, std::span<const BoundedEstimate> constants) {
    std::vector<BoundedEstimate> paired;
    for (int k = 0; k < rows.treatments(); ++k)
        paired.push_back(paired_with(rows, value, prescriptions, constants[static_cast<std::size_t>(k)],
                                     std::vector<int>(prescriptions.size(), k)));
    return value_of_random(rows, prescriptions, paired);
}

}  // namespace polyrx
