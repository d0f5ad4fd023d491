// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>
#include <span>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/encode/input_columns.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/rules/only_unsupported.hpp"

namespace polyrx {

std::string_view name_of(Objective objective) {
    return objective == Objective::min ? "min" : "max";
}

namespace {

void store(std::span<const int> chosen, const Matrix& outputs, std::size_t first, const Policy& policy,
           Prescriptions& prescriptions) {
    std::copy(chosen.begin(), chosen.end(), prescriptions.treatment.begin() + static_cast<std::ptrdiff_t>(first));
    if (prescriptions.outcomes.size() > 0) store_outcomes(policy, outputs, first, prescriptions.outcomes);
}

// What only the rules ask for, the network need not see.
void prescribe_by_masks(const Policy& policy, const Table& table, const PrescribeOptions& options,
                        const Progress& progress, Prescriptions& prescriptions) {
    const BoundRules& rules = policy.rules.bound;
    const ReluNetwork network = drop_ignored_inputs(policy.network);
    const SafeInputs safe = safe_inputs(network);
    std::vector<Eigen::Index> inputs(static_cast<std::size_t>(network.inputs()));
    std::iota(inputs.begin(), inputs.end(), 0);
    std::ranges::copy_if(rules.asked_inputs(), std::back_inserter(inputs),
                         [&](Eigen::Index input) { return input >= network.inputs(); });
    for_encoded_blocks(policy.encoder, inputs, table, options, progress,
                       [&](std::size_t first, const InputColumns& columns) {
                           Matrix rows(static_cast<Eigen::Index>(columns.rows()), network.inputs());
                           columns.copy_to(rows);
                           check_safe(rows, safe, table, first);
                           const Matrix outputs = forward(network, rows);
                           store(choose(rules.supported(columns), outputs), outputs, first, policy, prescriptions);
                       });
}

}  // namespace

Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options,
                        const Progress& progress) {
    Prescriptions prescriptions;
    prescriptions.treatment.resize(table.rows());
    if (options.outcomes)
        prescriptions.outcomes.resize(static_cast<Eigen::Index>(table.rows()),
                                      static_cast<Eigen::Index>(policy.treatments.size()));
    if (options.reasons) prescriptions.reasons.resize(table.rows());
    if (!policy.baseline && !policy.rules.bound.empty() && !policy.rules.big_m && !options.reasons) {
        prescribe_by_masks(policy, table, options, progress, prescriptions);
        return prescriptions;
    }
    const SafeInputs safe = policy.baseline ? SafeInputs{} : safe_inputs(policy.network);
    for_encoded_blocks(policy.encoder, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        check_safe(rows, safe, table, first);
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
    return prescriptions;
}

std::size_t count_only_unsupported(const Policy& policy, const Table& table, const PrescribeOptions& options,
                                   const Progress& progress) {
    const BoundRules& rules = policy.rules.bound;
    if (rules.rules().empty() || rules.support().empty()) return 0;
    std::atomic<std::size_t> count{0};
    for_encoded_blocks(
        policy.encoder, rules.asked_inputs(), table, options, progress,
        [&](std::size_t, const InputColumns& columns) { count += count_only_unsupported(rules, columns); });
    return count;
}

Matrix outputs_of(const Policy& policy, const Matrix& encoded, const FeatureRows& features) {
    return policy.baseline ? scores(*policy.baseline, encoded, features, 1) : forward(policy.network, encoded);
}

ScoreKind kind_of(const Policy& policy) {
    return policy.baseline ? kind_of(*policy.baseline) : ScoreKind::outcomes;
}

void require_network(const Policy& policy, std::string_view what) {
    if (policy.baseline)
        throw usage_error(fmt::format("{} is for networks, and this model was made by --method {}", what,
                                      name_of(policy.baseline->method)));
}

}  // namespace polyrx
