// SPDX-License-Identifier: Apache-2.0
// Everything that a reviewer asks of a policy, from observational data: what it is worth, compared with what, how sure
// that is, and whether the data can answer at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/data/observations.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/evaluate/balance.hpp"
#include "polyrx/evaluate/by_group.hpp"
#include "polyrx/evaluate/contrast_calibration.hpp"
#include "polyrx/evaluate/intervals.hpp"
#include "polyrx/evaluate/nuisances.hpp"
#include "polyrx/evaluate/overlap.hpp"
#include "polyrx/evaluate/personalising.hpp"
#include "polyrx/evaluate/policy_value.hpp"
#include "polyrx/evaluate/rate.hpp"
#include "polyrx/evaluate/risk.hpp"

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
};

struct EvaluationOptions {
    std::vector<Estimator> estimators = {Estimator::dr};
    NuisanceOptions nuisances = {};
    double least_propensity = 0.02;
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

// The policy's value minus that of something else, paired by row.
struct ComparedValue {
    std::string name;  // "as treated", "best constant", ...
    IntervalledValue value;
    IntervalledValue difference;
};

struct Evaluation {
    std::size_t rows = 0;
    bool held_out = false;               // as JudgedPolicy says
    Estimator headline = Estimator::dr;  // of all that follows the values: doubly robust if that was asked for
    std::vector<EstimatedValue> values;  // of the policy
    IntervalledValue as_treated;
    std::vector<ComparedValue> compared;
    // The paper's equation (1): what was observed where that is what was prescribed, else what the policy predicts.
    std::optional<double> self_assessed;
    PropensityReport propensity;
    Overlap overlap;
    std::vector<CovariateBalance> balance;
    std::vector<std::vector<std::size_t>> cross_table;  // [received][prescribed]
    PersonalisingTest personalising;
    std::optional<RankedGain> ranked;        // of two treatments, if the policy predicts outcomes
    std::optional<Calibration> calibration;  // the same
    std::optional<RiskDifference> risk;      // of outcomes that are 0 or 1
    std::vector<GroupValue> leaves;          // of JudgedPolicy::leaves
    std::vector<GroupValue> groups;          // of JudgedPolicy::by
};

// Throws what its parts throw: data errors for too few rows of a treatment, propensities that are none, and the like.
[[nodiscard]] Evaluation evaluate(const JudgedPolicy& judged, const EvaluationOptions& options,
                                  const Progress& progress = {});

}  // namespace polyrx
