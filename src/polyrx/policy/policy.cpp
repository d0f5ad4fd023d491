// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy.hpp"

#include <fmt/format.h>

#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/policy/scorer.hpp"
#include "polyrx/rules/only_unsupported.hpp"

namespace polyrx {

std::string_view name_of(Objective objective) {
    return objective == Objective::min ? "min" : "max";
}

Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options,
                        const Progress& progress) {
    return Scorer(policy).prescribe(table, options, progress);
}

std::size_t count_only_unsupported(const Policy& policy, const Table& table, const PrescribeOptions& options,
                                   const Progress& progress) {
    const BoundRules& rules = policy.rules.bound;
    if (rules.rules().empty() || rules.support().empty()) return 0;
    std::atomic<std::size_t> count{0};
    for_encoded_blocks(
        InputReader(policy.encoder, rules.asked_inputs()), table, options, progress,
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
