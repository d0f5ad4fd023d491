// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy.hpp"

#include <algorithm>
#include <atomic>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

std::string_view name_of(Objective objective) {
    return objective == Objective::min ? "min" : "max";
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

    std::atomic<std::size_t> done{0};
    parallel_for(blocks, options.threads, [&](std::size_t index) {
        report(progress, static_cast<double>(done) / static_cast<double>(blocks), "prescribing");
        const std::size_t first = index * block;
        const std::size_t count = std::min(block, rows - first);
        const Matrix outputs = forward(policy.network, policy.encoder.encode(table, first, count, options.unseen));
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
