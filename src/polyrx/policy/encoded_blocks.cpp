// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/encoded_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/network/fold.hpp"

namespace polyrx {
namespace {

void check_row(const Matrix& rows, Eigen::Index row, const SafeInputs& safe, const Table& table, std::size_t first) {
    if (safe.count > 0 && !(rows.row(row).head(safe.count).cwiseAbs().maxCoeff() <= safe.largest))
        throw data_error(
            fmt::format("{}: a value is too large for this model: its predicted outcomes may not be finite",
                        table.where(first + static_cast<std::size_t>(row))));
}

}  // namespace

void for_encoded_blocks(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                        const Progress& progress,
                        const std::function<void(std::size_t first, const InputColumns& rows)>& act) {
    // Blocks bound the memory of encoded rows, and are the unit of work of threads.
    constexpr std::size_t block = 1024;
    const std::size_t rows = table.rows();
    const std::size_t blocks = (rows + block - 1) / block;
    const MatchedTable matched = reader.match(table);
    std::atomic<std::size_t> done{0};
    parallel_for(blocks, options.threads, [&](std::size_t index) {
        report(progress, static_cast<double>(done) / static_cast<double>(blocks), "prescribing");
        const std::size_t first = index * block;
        act(first, InputColumns(reader, matched, first, std::min(block, rows - first), options.unseen));
        ++done;
    });
}

void for_encoded_rows(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                      const Progress& progress, const std::function<void(std::size_t first, const Matrix& rows)>& act) {
    for_encoded_blocks(reader, table, options, progress, [&](std::size_t first, const InputColumns& columns) {
        Matrix rows(static_cast<Eigen::Index>(columns.rows()), static_cast<Eigen::Index>(reader.size()));
        columns.copy_to(rows);
        act(first, rows);
    });
}

SafeInputs safe_inputs(const ReluNetwork& network) {
    return {inputs_not_ignored(network), largest_safe_input(network)};
}

void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first,
                std::span<const Eigen::Index> which) {
    for (const Eigen::Index row : which) check_row(rows, row, safe, table, first);
}

void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first) {
    for (Eigen::Index row = 0; row < rows.rows(); ++row) check_row(rows, row, safe, table, first);
}

void store_outcomes(const Policy& policy, const Matrix& outputs, std::size_t first, Matrix& outcomes) {
    auto target = outcomes.middleRows(static_cast<Eigen::Index>(first), outputs.rows());
    // Votes are counted the same way for both objectives.
    if (policy.objective == Objective::max || kind_of(policy) == ScoreKind::votes)
        target = -outputs;
    else
        target = outputs;
}

}  // namespace polyrx
