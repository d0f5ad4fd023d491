// SPDX-License-Identifier: Apache-2.0
// Runs independent tasks on several threads. The number of threads does not affect the result.
#pragma once

#include <cstddef>
#include <functional>

namespace polyrx {

// Returns `requested`, or the number of cores if it is 0.
int threads_for(int requested);

// Calls task(0) .. task(tasks-1), each once. Threads start and end inside the call. If the system starts fewer threads
// than requested, these do all tasks; in the worst case, only the caller's thread does. After an exception, no further
// tasks start, and the exception of the lowest-numbered task is rethrown.
void parallel_for(std::size_t tasks, int threads, const std::function<void(std::size_t)>& task);

}  // namespace polyrx
