// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace polyrx {

int threads_for(int requested) {
    if (requested > 0) return requested;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::size_t tasks, int threads, const std::function<void(std::size_t)>& task) {
    const std::size_t workers = std::min<std::size_t>(tasks, static_cast<std::size_t>(threads_for(threads)));
    if (workers <= 1) {
        for (std::size_t i = 0; i < tasks; ++i) task(i);
        return;
    }

    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::exception_ptr failure;
    std::size_t failed_task = tasks;

    auto work = [&] {
        // Tasks are taken in order and always finished, so every task below a failing one runs, and the error with the
        // lowest number is rethrown. The user's error does not depend on timing.
        while (!failed) {
            const std::size_t i = next++;
            if (i >= tasks) break;
            try {
                task(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failed = true;
                if (i < failed_task) {
                    failed_task = i;
                    failure = std::current_exception();
                }
            }
        }
    };

    {
        std::vector<std::jthread> pool;
        pool.reserve(workers - 1);
        try {
            for (std::size_t i = 1; i < workers; ++i) pool.emplace_back(work);
        } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
            // The system refuses more threads. The current ones suffice, because their number does not affect the
            // result.
        }
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace polyrx
