// SPDX-License-Identifier: Apache-2.0
// Runs independent tasks on several threads; the result never depends on how many.
#pragma once

#include <cstddef>
#include <functional>

namespace polyrx {

// The number of threads that a request means: itself, or the machine's cores for 0.
int threads_for(int requested);

// Calls task(0) .. task(tasks-1), each once. Threads start and end inside the call; where the system does not start as
// many as asked for, those that there are do all the tasks, in the worst case the caller's alone. If tasks throw, the
// others are left undone and the exception of the lowest-numbered thrower is rethrown.
void parallel_for(std::size_t tasks, int threads, const std::function<void(std::size_t)>& task);

}  // namespace polyrx
