// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/choose.hpp"
#include "polyrx/policy/encoded_blocks.hpp"

namespace polyrx {

std::string_view name_of(Objective objective) {
    return objective == Objective::min ? "min" : "max";
}

CsvOptions reading_options(const Policy& policy) {
    CsvOptions options;
    options.schema = policy.encoder.schema();
    options.schema.missing = policy.missing_texts;
    options.columns = policy.encoder.read_columns();
    return options;
}

Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options,
                        const Progress& progress) {
    Prescriptions prescriptions;
    prescriptions.treatment.resize(table.rows());
    if (options.outcomes)
        prescriptions.outcomes.resize(static_cast<Eigen::Index>(table.rows()),
                                      static_cast<Eigen::Index>(policy.treatments.size()));
    const double largest = policy.baseline ? std::numeric_limits<double>::max() : largest_safe_input(policy.network);
    for_encoded_blocks(policy, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        check_safe(rows, largest, table, first);
        const Matrix outputs = outputs_of(policy, rows);
        const std::vector<int> chosen = choose(policy.rules, rows, outputs);
        std::copy(chosen.begin(), chosen.end(), prescriptions.treatment.begin() + static_cast<std::ptrdiff_t>(first));
        if (options.outcomes) store_outcomes(policy, outputs, first, prescriptions.outcomes);
    });
    return prescriptions;
}

Matrix outputs_of(const Policy& policy, const Matrix& rows) {
    return policy.baseline ? scores(*policy.baseline, policy.encoder, rows, 1) : forward(policy.network, rows);
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
