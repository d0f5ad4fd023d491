// SPDX-License-Identifier: Apache-2.0
// Counts every allocation of this program, by standing in front of the C library's allocator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "polyrx/train/step/train_step.hpp"
#include "tests/support/easy_rows.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define POLYRX_COUNTS_ALLOCATIONS 1
#elif !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define POLYRX_COUNTS_ALLOCATIONS 1
#endif
#endif

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

#ifdef POLYRX_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    ++allocations;
    return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
    ++allocations;
    return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    ++allocations;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    ++allocations;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    ++allocations;
    *block = __libc_memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}
}
#endif

namespace polyrx {
namespace {

// How many allocations there had been after each step.
std::vector<std::size_t> allocations_by_step(const TrainingRows& rows, TrainOptions options) {
    options.hidden = {30, 17};
    options.weight_decay = 0.1;
    options.schedule = Schedule::cosine;
    const auto count = static_cast<std::size_t>(rows.size());
    const std::size_t batch = 90;  // more than are computed side by side, and the last batch is smaller
    const ParameterLayout layout(rows.inputs.cols(), options.hidden, options.treatments);
    TrainStep step(layout, options, 6, spread_of(rows.inputs));
    TrainingState state = step.initial_state();
    std::vector<std::size_t> after_step;
    after_step.reserve(100);
    for (std::size_t first = 0; first < count; first += batch) {
        (void)step.take(rows, {first, std::min(batch, count - first)}, state);
        after_step.push_back(allocations);
    }
    return after_step;
}

void expect_none(const std::vector<std::size_t>& after_step) {
    ASSERT_EQ(after_step.size(), 6U);
    EXPECT_GT(after_step.front(), 0U) << "nothing is counted";
    for (const std::size_t so_far : after_step) EXPECT_EQ(so_far, after_step.front());
}

TEST(TrainingStep, AllocatesNothing) {
#ifndef POLYRX_COUNTS_ALLOCATIONS
    GTEST_SKIP() << "the sanitizer has the allocator";
#endif
    expect_none(allocations_by_step(test::easy_rows(500, 1), {}));
}

TEST(TrainingStep, AllocatesNothingWithEveryOption) {
#ifndef POLYRX_COUNTS_ALLOCATIONS
    GTEST_SKIP() << "the sanitizer has the allocator";
#endif
    TrainingRows rows = test::easy_rows(500, 1);
    rows.teacher.resize(1000);
    rows.teacher_weight.assign(500, 1);
    TrainOptions options;
    options.effect_shrinkage = 1;
    options.clip_gradient = 0.1;
    options.teacher_share = 0.5;
    for (const Sparsify how : {Sparsify::gradual, Sparsify::paper}) {
        options.sparsity = {.weights_per_neuron = 2, .max_features = 2, .how = how};
        expect_none(allocations_by_step(rows, options));
    }
}

}  // namespace
}  // namespace polyrx
