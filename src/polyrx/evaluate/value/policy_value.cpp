// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/policy_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr int no_prescription = -1;  // the value of no_treatment: rules leave no treatment for the row

void check_rows(const EvaluatedRows& rows) {
    const std::size_t count = rows.outcome.size();
    if (count == 0) throw data_error("there are no rows to evaluate");
    const auto check_size = [&](std::size_t size, std::string_view what) {
        if (size != count) throw usage_error(fmt::format("{} {} were given for {} rows", size, what, count));
    };
    check_size(rows.treatment.size(), "treatments");
    if (!rows.group.empty()) check_size(rows.group.size(), "groups");
    if (rows.weight.empty()) return;
    check_size(rows.weight.size(), "weights");
    double total = 0;
    for (const double weight : rows.weight) {
        if (!(weight >= 0) || std::isinf(weight))
            throw usage_error(fmt::format("weights must be finite and at least 0, not {}", weight));
        total += weight;
    }
    if (total == 0) throw data_error("all weights are 0: no row counts");
}

void check_prescriptions(const EvaluatedRows& rows, std::span<const int> prescriptions) {
    if (prescriptions.size() != rows.outcome.size())
        throw usage_error(
            fmt::format("{} prescriptions were given for {} rows", prescriptions.size(), rows.outcome.size()));
    for (std::size_t i = 0; i < prescriptions.size(); ++i) {
        if (prescriptions[i] == no_prescription)
            throw usage_error(fmt::format(
                "row {} has no prescription: a policy has a value where it prescribes to every row", i + 1));
        if (prescriptions[i] < 0 || prescriptions[i] >= rows.treatments())
            throw usage_error(fmt::format("row {}: prescription {} is none of {} treatments", i + 1, prescriptions[i],
                                          rows.treatments()));
    }
}

void check_matrix(const Matrix& matrix, const EvaluatedRows& rows, Estimator estimator, std::string_view what) {
    if (matrix.rows() != static_cast<Eigen::Index>(rows.outcome.size()) || matrix.cols() != rows.treatments())
        throw usage_error(fmt::format("{} needs {} of {} rows and {} treatments, not of {} and {}", name_of(estimator),
                                      what, rows.outcome.size(), rows.treatments(), matrix.rows(), matrix.cols()));
}

ValueEstimate not_estimable(const ValueEstimate& counts, const std::string& why) {
    ValueEstimate none = counts;
    none.reason = fmt::format("not estimable: {}", why);
    return none;
}

}  // namespace

std::string_view name_of(Estimator estimator) {
    switch (estimator) {
        case Estimator::dm:
            return "dm";
        case Estimator::ipw:
            return "ipw";
        case Estimator::snipw:
            return "snipw";
        case Estimator::dr:
            break;
    }
    return "dr";
}

std::string_view long_name_of(Estimator estimator) {
    switch (estimator) {
        case Estimator::dm:
            return "direct method";
        case Estimator::ipw:
            return "inverse propensity";
        case Estimator::snipw:
            return "self-normalized";
        case Estimator::dr:
            break;
    }
    return "doubly robust";
}

ValueEstimate policy_value(const EvaluatedRows& rows, std::span<const int> prescriptions, Estimator estimator,
                           double least_propensity) {
    check_rows(rows);
    check_prescriptions(rows, prescriptions);
    const bool weighs = estimator != Estimator::dm;
    const bool predicts = estimator == Estimator::dm || estimator == Estimator::dr;
    if (predicts) check_matrix(rows.outcomes, rows, estimator, "predicted outcomes");
    if (weighs) check_matrix(rows.propensities, rows, estimator, "propensities");
    if (!(least_propensity >= 0 && least_propensity <= 1))
        throw usage_error(fmt::format("the least propensity must be from 0 to 1, not {}", least_propensity));

    ValueEstimate counts;
    counts.rows = rows.outcome.size();
    RowTerms terms;
    terms.numerator.reserve(counts.rows);
    terms.denominator.reserve(counts.rows);
    std::size_t impossible = 0;
    double weight_matched = 0;
    for (std::size_t i = 0; i < counts.rows; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const int prescribed = prescriptions[i];
        const double weight = rows.weight_of(i);
        const double predicted = predicts ? rows.outcomes(row, prescribed) : 0;
        double inverse = 0;
        if (rows.treatment[i] == prescribed) {
            ++counts.matched;
            weight_matched += weight;
            if (weighs) {
                const double propensity = rows.propensities(row, prescribed);
                counts.clipped += propensity < least_propensity ? 1 : 0;
                impossible += std::max(propensity, least_propensity) <= 0 ? 1 : 0;
                inverse = 1 / std::max(propensity, least_propensity);
            }
        }
        const double value = weighs ? predicted + inverse * (rows.outcome[i] - predicted) : predicted;
        terms.numerator.push_back(weight * value);
        terms.denominator.push_back(estimator == Estimator::snipw ? weight * inverse : weight);
    }
    counts.clipped_share = static_cast<double>(counts.clipped) / static_cast<double>(counts.rows);
    if (weighs && weight_matched == 0) return not_estimable(counts, "no row received what was prescribed");
    if (impossible > 0)
        return not_estimable(counts, fmt::format("{} of the rows received a treatment of propensity 0", impossible));

    ValueEstimate estimate = ratio_estimate(std::move(terms), rows.group);
    estimate.matched = counts.matched;
    estimate.clipped = counts.clipped;
    estimate.clipped_share = counts.clipped_share;
    return weighs ? estimate : without_standard_error(std::move(estimate));
}

ValueEstimate without_standard_error(ValueEstimate estimate) {
    estimate.influence.clear();
    estimate.standard_error.reset();
    estimate.reason = "no standard error: the direct method does not measure the error of its predictions";
    return estimate;
}

ValueEstimate value_as_treated(const EvaluatedRows& rows) {
    check_rows(rows);
    RowTerms terms;
    for (std::size_t i = 0; i < rows.outcome.size(); ++i) {
        terms.numerator.push_back(rows.weight_of(i) * rows.outcome[i]);
        terms.denominator.push_back(rows.weight_of(i));
    }
    ValueEstimate estimate = ratio_estimate(std::move(terms), rows.group);
    estimate.matched = estimate.rows;
    return estimate;
}

}  // namespace polyrx
