// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train_all.hpp"

#include <atomic>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

std::vector<Trained> train_all(std::span<const TrainingTask> tasks, int threads, const Progress& progress) {
    std::vector<Trained> trained(tasks.size());
    std::vector<std::atomic<double>> shares(tasks.size());
    // Tasks from this one on may stop: an earlier one failed, or progress requested a stop.
    std::atomic<std::size_t> end{tasks.size()};
    const auto end_at = [&end](std::size_t task) {
        std::size_t before = end;
        while (task < before && !end.compare_exchange_weak(before, task)) {
        }
    };

    parallel_for(tasks.size(), threads, [&](std::size_t i) {
        const TrainingTask& task = tasks[i];
        const Progress step = [&](double share_done, std::string_view work) {
            if (i >= end) return false;
            if (!progress) return true;
            shares[i] = share_done;
            const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
            if (progress(sum / static_cast<double>(tasks.size()), work)) return true;
            end_at(0);
            return false;
        };
        try {
            if (task.rows == nullptr) throw usage_error("there are no rows to train on");
            trained[i] = train(*task.rows, task.validation, task.options, step);
        } catch (...) {
            end_at(i);
            throw;
        }
        shares[i] = 1;  // training that stops early does not report completion
    });
    return trained;
}

}  // namespace polyrx
