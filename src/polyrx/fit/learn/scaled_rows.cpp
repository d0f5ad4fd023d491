// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/scaled_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/network/fold.hpp"

namespace polyrx {
namespace {

// Multiplies weights by inverse propensities, and keeps their mean, so that the learning rate keeps its meaning.
void balance_treatments(TrainingRows& taken, const NetworkStudy& study, std::span<const std::size_t> rows,
                        double balance) {
    if (study.propensity.empty()) throw other_error("treatments cannot be balanced without propensities");
    std::vector<double> weight;
    double total = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        weight.push_back(taken.weight[i] * std::min(1 / study.propensity[rows[i]], balance));
        total += weight.back();
    }
    const double mean = total / static_cast<double>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) taken.weight[i] = static_cast<float>(weight[i] / mean);
}

TrainingRows scaled(const NetworkStudy& study, const ScaledRows& scaling, std::span<const std::size_t> rows,
                    double balance, std::string_view part) {
    TrainingRows taken =
        training_rows(study.observations, study.encoded, scaling.inputs, study.outcome, scaling.outcome, rows, part);
    if (!study.allowed.empty())
        for (const std::size_t row : rows) taken.allowed.push_back(study.allowed[row]);
    if (balance > 0) balance_treatments(taken, study, rows, balance);
    return taken;
}

// Inputs that are constant over training rows keep their random initial weights. New values in them must not change a
// prescription.
ReluNetwork ignore_constants(ReluNetwork network, const MatrixF& inputs) {
    for (Eigen::Index c = 0; c < inputs.cols(); ++c)
        if ((inputs.col(c).array() == inputs(0, c)).all()) network = fix_input(network, c, inputs(0, c));
    return network;
}

}  // namespace

ScaledRows scale_rows(const NetworkStudy& study, const RowSplit& split, OutcomeScale scale, double balance) {
    ScaledRows rows;
    rows.inputs = standardization(study.encoder, study.encoded, split.kept);
    if (scale == OutcomeScale::standardized)
        rows.outcome = standardization(study.observations.outcome_name, study.outcome, split.kept);
    rows.kept = scaled(study, rows, split.kept, balance, "training rows");
    // For example, raw outcomes of 1e9 plus small differences are one float.
    const std::vector<float>& outcome = rows.kept.outcome;
    if (std::ranges::all_of(outcome, [&](float value) { return value == outcome.front(); }))
        throw data_error(fmt::format("column '{}': the outcomes of the {} rows to learn from are all the same{}",
                                     study.observations.outcome_name, outcome.size(),
                                     scale == OutcomeScale::raw
                                         ? " to float32; standardize the outcome"
                                         : "; other rows, which are held out or not drawn, have others"));
    if (!split.held_out.empty()) rows.held_out = scaled(study, rows, split.held_out, balance, "held-out rows");
    return rows;
}

ReluNetwork in_users_units(const ReluNetwork& trained, const ScaledRows& rows) {
    return fold_output_scaling(fold_input_scaling(ignore_constants(trained, rows.kept.inputs), rows.inputs),
                               rows.outcome.shift, rows.outcome.scale);
}

}  // namespace polyrx
