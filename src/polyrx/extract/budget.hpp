// SPDX-License-Identifier: Apache-2.0
// How much work an extraction may do before it gives up with a clear answer.
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
    double seconds = 0;  // 0 is no limit, so that results do not depend on the machine
};

// What is thrown when a limit is met; the sentence names the limit.
class BudgetSpent : public Error {
public:
    using Error::Error;
};

// Counts what is spent, on several threads at once.
class Budget {
public:
    explicit Budget(const BudgetLimits& limits, const Progress& progress = {});

    void spend_linear_program();
    void spend_leaves(std::size_t count);
    [[nodiscard]] std::size_t linear_programs() const { return linear_programs_; }
    // Leaves that were spent but became part of others.
    void save_leaves(std::size_t count) { leaves_ -= count; }
    // Throws if the time is over; reports progress.
    void check_clock();
    // For making what was planned better, which may be given up: half of the time that is left, and a hundred times the
    // linear programs that planning took, whatever the limit of those is.
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
