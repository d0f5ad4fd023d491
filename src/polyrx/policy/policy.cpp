// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

std::string_view name_of(Objective objective) {
    return objective == Objective::min ? "min" : "max";
}

namespace {

// Values far outside of what a network was trained on can overflow it; a prescription then means nothing.
void check_safe(const Matrix& encoded, double largest, const Table& table, std::size_t first) {
    for (Eigen::Index row = 0; row < encoded.rows(); ++row)
        if (!(encoded.row(row).cwiseAbs().maxCoeff() <= largest))
            throw data_error(
                fmt::format("{}: a value is too large for this model: its predicted outcomes may not be finite",
                            table.where(first + static_cast<std::size_t>(row))));
}

}  // namespace

CsvOptions reading_options(const Policy& policy) {
    CsvOptions options;
    options.schema = policy.encoder.schema();
    options.schema.missing = policy.missing_texts;
    options.columns.emplace();
    for (const Feature& feature : policy.encoder.features()) options.columns->push_back(feature.name);
    return options;
}

Prescriptions prescribe(const Policy& policy, const Table& table, const PrescribeOptions& options,
                        const Progress& progress) {
    // Blocks bound the memory of the encoded rows, and are the unit of work for the threads.
    constexpr std::size_t block = 4096;
    const std::size_t rows = table.rows();
    const std::size_t blocks = (rows + block - 1) / block;
    Prescriptions prescriptions;
    prescriptions.treatment.resize(rows);
    if (options.outcomes) prescriptions.outcomes.resize(static_cast<Eigen::Index>(rows), policy.network.outputs());

    const double largest = largest_safe_input(policy.network);
    std::atomic<std::size_t> done{0};
    parallel_for(blocks, options.threads, [&](std::size_t index) {
        report(progress, static_cast<double>(done) / static_cast<double>(blocks), "prescribing");
        const std::size_t first = index * block;
        const std::size_t count = std::min(block, rows - first);
        const Matrix encoded = policy.encoder.encode(table, first, count, options.unseen);
        check_safe(encoded, largest, table, first);
        const Matrix outputs = forward(policy.network, encoded);
        const std::vector<int> chosen = argmin_rows(outputs);
        std::copy(chosen.begin(), chosen.end(), prescriptions.treatment.begin() + static_cast<std::ptrdiff_t>(first));
        if (options.outcomes) {
            auto target =
                prescriptions.outcomes.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count));
            if (policy.objective == Objective::max)
                target = -outputs;
            else
                target = outputs;
        }
        ++done;
    });
    return prescriptions;
}

}  // namespace polyrx
