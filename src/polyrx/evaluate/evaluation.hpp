// SPDX-License-Identifier: Apache-2.0
// Everything that a reviewer asks of a policy, from observational data: what it is worth, compared with what, how sure
// that is, and whether the data can answer at all.
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

// A part of the rows for each name: the leaves of a tree, or the values of a column.
struct Partition {
    std::vector<std::size_t> part;   // by row
    std::vector<std::string> names;  // of the parts
};

// What is judged: prescriptions for the rows of the observations, none of which may be no_treatment. Others own it.
struct JudgedPolicy {
    const Observations& observations;
    const Encoder& encoder;  // of the features that outcomes and propensities are learned from
    std::span<const int> prescriptions;
    bool larger_is_better = false;
    // rows x treatments in the user's direction, of the policy; empty if it has none.
    const Matrix& predicted;
    std::span<const int> against = {};  // another policy's prescriptions; empty if there is none
    std::string against_name = {};
    const Partition* leaves = nullptr;
    const Partition* by = nullptr;
    std::span<const std::size_t> group = {};  // rows that may err together
    const Matrix* propensities = nullptr;     // where they are known
    bool held_out = false;                    // the policy has learned nothing from these rows
    // By row: whether the prescription is supported in the policy's own view; empty where it has none.
    std::span<const char> supported_by_model = {};
};

struct EvaluationOptions {
    std::vector<Estimator> estimators = {Estimator::dr};
    NuisanceOptions nuisances = stacked_nuisances();
    double epsilon = default_epsilon;                // of support: see SupportThreshold
    std::optional<OutcomeRange> outcome_range = {};  // declared; else see outcome_range()
    double level = 0.95;
    std::size_t draws = 2'000;  // of the bootstrap
};

// A value with its intervals.
struct IntervalledValue {
    ValueEstimate estimate;
    IntervalAnswer normal;
    IntervalAnswer percentile;
    std::optional<double> bootstrap_error = {};  // standard error, where there were draws
};

// The normal one, or for the direct method, which has none, that of the bootstrap.
[[nodiscard]] inline const IntervalAnswer& shown_interval(const IntervalledValue& value) {
    return value.normal.interval ? value.normal : value.percentile;
}

struct EstimatedValue {
    Estimator estimator = Estimator::dr;
    IntervalledValue value;
};

// A value that is known up to bounds, with intervals that cover it. A plain value where both bounds are one.
struct BoundedValue {
    BoundedEstimate estimate;
    IntervalAnswer normal;
    IntervalAnswer percentile;
};

// The policy's value minus that of something else, paired by row.
struct ComparedValue {
    // Where the other prescribes something else than the policy, and that is not supported for more than this share of
    // all rows, the two cannot be compared unless even the bounds tell them apart.
    static constexpr double most_unsupported = 0.05;

    std::string name;  // "as treated", "best constant", ...
    BoundedValue value;
    BoundedValue difference;
    double unsupported_share = 0;         // of the rows: they differ there, and the other's treatment is not supported
    std::string cannot_be_compared = {};  // why, in words; empty where they can be
};

// What the data say of the policy, and where they are silent.
struct SupportedValue {
    SupportThreshold rule;
    OutcomeRange range;
    BoundedValue value;                              // of the policy: the headline
    BoundedValue gain;                               // the policy minus as treated
    IntervalledValue where_supported;                // of prescribing where that is supported, elsewhere as now
    IntervalledValue gain_where_supported;           // that minus as treated
    std::optional<TippingPoint> tipping_point = {};  // where some prescriptions are not supported
    Sensitivity sensitivity;                         // of gain_where_supported
    std::optional<double> disagreement = {};  // share of rows that only one of model and evaluation calls supported
};

struct Evaluation {
    std::size_t rows = 0;
    bool held_out = false;  // as JudgedPolicy says
    SupportedValue supported;
    std::vector<EstimatedValue> values;  // of the policy, extrapolating where its prescriptions are not supported
    IntervalledValue as_treated;
    std::vector<ComparedValue> compared;
    // The paper's equation (1): what was observed where that is what was prescribed, else what the policy predicts.
    std::optional<double> self_assessed;
    PropensityReport propensity;
    std::optional<std::size_t> training_sample = {};  // rows of a fold that nuisance models learn from; none: all
    Overlap overlap;
    std::vector<CovariateBalance> balance;
    BalanceWithinBins bin_balance;
    std::vector<LowPropensities> low_propensities;
    std::vector<std::vector<std::size_t>> cross_table;  // [received][prescribed]
    PersonalizingTest personalizing;
    // Of two treatments, if the policy predicts outcomes, from the rows for which both are supported.
    std::optional<RankedGain> ranked;
    std::optional<Calibration> calibration;
    std::size_t both_supported = 0;      // these rows
    std::optional<RiskDifference> risk;  // of outcomes that are 0 or 1
    std::vector<GroupValue> leaves;      // of JudgedPolicy::leaves
    std::vector<GroupValue> groups;      // of JudgedPolicy::by
};

// Throws what its parts throw: data errors for too few rows of a treatment, propensities that are none, and the like.
[[nodiscard]] Evaluation evaluate(const JudgedPolicy& judged, const EvaluationOptions& options,
                                  const Progress& progress = {});

}  // namespace polyrx
