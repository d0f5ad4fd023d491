// SPDX-License-Identifier: Apache-2.0
// Limits on the work of an extraction, which stops with a clear message when it meets one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "polyrx/core/error.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct BudgetLimits {
    std::size_t leaves = 10'000;
    std::size_t linear_programs = 20'000'000;
    double seconds = 0;  // 0 = no limit (the default): results do not depend on the machine
};

// Thrown when a limit is met; the message names the limit.
class BudgetSpent : public Error {
public:
    using Error::Error;
};

// Counts the work done so far, on several threads at once.
class Budget {
public:
    explicit Budget(const BudgetLimits& limits, const Progress& progress = {});

    void spend_linear_program();
    void spend_leaves(std::size_t count);
    [[nodiscard]] std::size_t linear_programs() const { return linear_programs_; }
    // Gives back leaves that were spent but merged into others.
    void save_leaves(std::size_t count) { leaves_ -= count; }
    // Throws if the time is up; reports progress.
    void check_clock();
    // Limits for optional simplification of the plan: half of the remaining time, and a hundred times the linear
    // programs that planning took, regardless of their limit.
    [[nodiscard]] BudgetLimits limits_aside() const;

private:
    [[nodiscard]] double seconds_passed() const;

    BudgetLimits limits_;
    Progress progress_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<std::size_t> linear_programs_{0};
    std::atomic<std::size_t> leaves_{0};
};

}  // namespace polyrx
