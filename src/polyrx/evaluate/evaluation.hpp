// SPDX-License-Identifier: Apache-2.0
// Evaluation of a policy on observational data: its value, its gain over other policies, their uncertainty, and whether
// overlap is sufficient.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/evaluate/effects/by_group.hpp"
#include "polyrx/evaluate/effects/contrast_calibration.hpp"
#include "polyrx/evaluate/effects/personalizing.hpp"
#include "polyrx/evaluate/effects/rate.hpp"
#include "polyrx/evaluate/overlap/balance.hpp"
#include "polyrx/evaluate/overlap/overlap.hpp"
#include "polyrx/evaluate/overlap/propensity_check.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/evaluate/value/risk.hpp"
#include "polyrx/evaluate/value/sensitivity.hpp"
#include "polyrx/evaluate/value/tipping_point.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/statistics/intervals.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// Named groups of rows: the leaves of a tree, or the values of a column.
struct Partition {
    std::vector<std::size_t> part;   // group of each row
    std::vector<std::string> names;  // of the groups
};

// A policy to evaluate: its prescriptions for the rows of the observations, without no_treatment. Borrows all data.
struct JudgedPolicy {
    const Observations& observations;
    const Encoder& encoder;  // of the features of the nuisance models
    std::span<const int> prescriptions;
    bool larger_is_better = false;
    // Outcomes that the policy predicts (rows x treatments, in the user's direction); empty if it predicts none.
    const Matrix& predicted;
    std::span<const int> against = {};  // prescriptions of another policy; may be empty
    std::string against_name = {};
    const Partition* leaves = nullptr;
    const Partition* by = nullptr;
    std::span<const std::size_t> group = {};  // rows with correlated errors
    const Matrix* propensities = nullptr;     // if known
    bool held_out = false;                    // the policy was not fitted on these rows
    // Whether the policy's own support includes the prescription of each row; may be empty.
    std::span<const char> supported_by_model = {};
};

struct EvaluationOptions {
    std::vector<Estimator> estimators = {Estimator::dr};
    NuisanceOptions nuisances = stacked_nuisances();
    double epsilon = default_epsilon;                // threshold of support, see SupportThreshold
    std::optional<OutcomeRange> outcome_range = {};  // declared range; otherwise see outcome_range()
    double level = 0.95;
    std::size_t draws = 2'000;  // bootstrap draws
};

// A value with its intervals.
struct IntervalledValue {
    ValueEstimate estimate;
    IntervalAnswer normal;
    IntervalAnswer percentile;
    std::optional<double> bootstrap_error = {};  // bootstrap standard error, if there were draws
};

// The normal interval, or the bootstrap interval for the direct method, which has no standard error.
[[nodiscard]] inline const IntervalAnswer& shown_interval(const IntervalledValue& value) {
    return value.normal.interval ? value.normal : value.percentile;
}

struct EstimatedValue {
    Estimator estimator = Estimator::dr;
    IntervalledValue value;
};

// A value or its bounds, with intervals. The bounds are equal if the value is point-identified.
struct BoundedValue {
    BoundedEstimate estimate;
    IntervalAnswer normal;
    IntervalAnswer percentile;
};

// The gain of the policy over another policy, paired by row.
struct ComparedValue {
    // If the other policy differs from this one and is unsupported for a larger share of rows, the two are not compared
    // unless their bounds do not overlap.
    static constexpr double most_unsupported = 0.05;

    std::string name;  // "as treated", "best constant", ...
    BoundedValue value;
    BoundedValue difference;
    double unsupported_share = 0;         // weighted share of rows where the other policy differs and is not supported
    std::string cannot_be_compared = {};  // the reason; empty if it can be compared
};

// The value of the policy, with bounds where its prescriptions are not supported.
struct SupportedValue {
    SupportThreshold rule;
    OutcomeRange range;
    BoundedValue value;                     // the headline
    BoundedValue gain;                      // the policy minus as treated
    IntervalledValue where_supported;       // of following the policy where supported and current practice elsewhere
    IntervalledValue gain_where_supported;  // the same minus the value as treated
    std::optional<TippingPoint> tipping_point = {};  // if some prescriptions are not supported
    Sensitivity sensitivity;                         // of gain_where_supported
    std::optional<double> disagreement =
        {};  // share of rows for which the model and the evaluation disagree about support
};

struct Evaluation {
    std::size_t rows = 0;
    bool held_out = false;  // see JudgedPolicy
    SupportedValue supported;
    std::vector<EstimatedValue> values;  // of the policy, with extrapolation where prescriptions are not supported
    IntervalledValue as_treated;
    std::vector<ComparedValue> compared;
    // Equation (1) of the paper: the observed outcome if the row received its prescription, otherwise its prediction.
    std::optional<double> self_assessed;
    PropensityReport propensity;
    std::optional<std::size_t> training_sample = {};  // training rows per fold of the nuisance models; empty: all
    Overlap overlap;
    std::vector<CovariateBalance> balance;
    BalanceWithinBins bin_balance;
    std::vector<LowPropensities> low_propensities;
    std::vector<std::vector<std::size_t>> cross_table;  // [received][prescribed]
    PersonalizingTest personalizing;
    // For two treatments and a policy that predicts outcomes, on the rows for which both are supported.
    std::optional<RankedGain> ranked;
    std::optional<Calibration> calibration;
    std::size_t both_supported = 0;      // number of these rows
    std::optional<RiskDifference> risk;  // for outcomes of 0 or 1
    std::vector<GroupValue> leaves;      // of JudgedPolicy::leaves
    std::vector<GroupValue> groups;      // of JudgedPolicy::by
};

// Throws the errors of its parts, such as data errors for too few rows of a treatment or invalid propensities.
[[nodiscard]] Evaluation evaluate(const JudgedPolicy& judged, const EvaluationOptions& options,
                                  const Progress& progress = {});

}  // namespace polyrx
