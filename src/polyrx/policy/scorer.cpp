// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/scorer.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/network/fold.hpp"

namespace polyrx {
namespace {

void store(std::span<const int> chosen, const Matrix& outputs, std::size_t first, const Policy& policy,
           Prescriptions& prescriptions) {
    std::copy(chosen.begin(), chosen.end(), prescriptions.treatment.begin() + static_cast<std::ptrdiff_t>(first));
    if (prescriptions.outcomes.size() > 0) store_outcomes(policy, outputs, first, prescriptions.outcomes);
}

// The first inputs, and those of the others that rules use.
std::vector<Eigen::Index> inputs_with_asked(Eigen::Index first_inputs, const BoundRules& rules) {
    std::vector<Eigen::Index> inputs(static_cast<std::size_t>(first_inputs));
    std::iota(inputs.begin(), inputs.end(), 0);
    std::ranges::copy_if(rules.asked_inputs(), std::back_inserter(inputs),
                         [&](Eigen::Index input) { return input >= first_inputs; });
    return inputs;
}

}  // namespace

Scorer::Scorer(const Policy& policy) : policy_(&policy), every_input_(policy.encoder) {
    if (policy.baseline) return;
    if (policy.rules.bound.empty() || policy.rules.big_m) {
        safe_ = safe_inputs(policy.network);
        return;
    }
    ReluNetwork network = drop_ignored_inputs(policy.network);
    safe_ = safe_inputs(network);
    InputReader reader(policy.encoder, inputs_with_asked(network.inputs(), policy.rules.bound));
    masked_.emplace(Masked{.network = std::move(network), .reader = std::move(reader)});
}

Prescriptions Scorer::prescribe(const Table& table, const PrescribeOptions& options, const Progress& progress) const {
    Prescriptions prescriptions;
    prescriptions.treatment.resize(table.rows());
    if (options.outcomes)
        prescriptions.outcomes.resize(static_cast<Eigen::Index>(table.rows()),
                                      static_cast<Eigen::Index>(policy_->treatments.size()));
    if (options.reasons) prescriptions.reasons.resize(table.rows());
    if (masked_ && !options.reasons)
        prescribe_by_masks(table, options, progress, prescriptions);
    else
        prescribe_by_rows(table, options, progress, prescriptions);
    return prescriptions;
}

void Scorer::prescribe_by_rows(const Table& table, const PrescribeOptions& options, const Progress& progress,
                               Prescriptions& prescriptions) const {
    const Policy& policy = *policy_;
    for_encoded_rows(every_input_, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        check_safe(rows, safe_, table, first);
        FeatureRows features;
        if (policy.baseline && reads_features(*policy.baseline))
            features =
                feature_rows(policy.encoder, table, first, static_cast<std::size_t>(rows.rows()), Unseen::ignore);
        const Matrix outputs = outputs_of(policy, rows, features);
        const std::vector<int> chosen = choose(policy.rules, rows, outputs);
        store(chosen, outputs, first, policy, prescriptions);
        if (options.reasons)
            std::ranges::copy(reasons_of(policy.rules.bound, rows, outputs, chosen),
                              prescriptions.reasons.begin() + static_cast<std::ptrdiff_t>(first));
    });
}

void Scorer::prescribe_by_masks(const Table& table, const PrescribeOptions& options, const Progress& progress,
                                Prescriptions& prescriptions) const {
    const ReluNetwork& network = masked_->network;
    for_encoded_blocks(masked_->reader, table, options, progress, [&](std::size_t first, const InputColumns& columns) {
        Matrix rows(static_cast<Eigen::Index>(columns.rows()), network.inputs());
        columns.copy_to(rows);
        check_safe(rows, safe_, table, first);
        const Matrix outputs = forward(network, rows);
        store(choose(policy_->rules.bound.supported(columns), outputs), outputs, first, *policy_, prescriptions);
    });
}

}  // namespace polyrx
