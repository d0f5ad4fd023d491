// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/budget.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polyrx {

Budget::Budget(const BudgetLimits& limits, const Progress& progress) : limits_(limits), progress_(progress) {}

void Budget::spend_linear_program() {
    const std::size_t spent = ++linear_programs_;
    if (limits_.linear_programs > 0 && spent > limits_.linear_programs)
        throw BudgetSpent(ErrorKind::other,
                          fmt::format("the exact tree takes more than {} linear program{} (--max-lps)",
                                      limits_.linear_programs, limits_.linear_programs == 1 ? "" : "s"));
    // Often enough to stop promptly, rarely enough to be cheap. The first check matters because small trees need few.
    if (spent % 256 == 1) check_clock();
}

void Budget::spend_leaves(std::size_t count) {
    const std::size_t spent = leaves_ += count;
    if (limits_.leaves > 0 && spent > limits_.leaves)
        throw BudgetSpent(ErrorKind::other, fmt::format("the exact tree grows beyond {} {} (--leaves)", limits_.leaves,
                                                        limits_.leaves == 1 ? "leaf" : "leaves"));
}

void Budget::check_clock() {
    if (limits_.linear_programs > 0)
        report(progress_, static_cast<double>(linear_programs_) / static_cast<double>(limits_.linear_programs),
               "extracting the tree");
    if (limits_.seconds > 0 && seconds_passed() > limits_.seconds)
        throw BudgetSpent(ErrorKind::other,
                          fmt::format("the exact tree takes more than {} s (--max-seconds)", limits_.seconds));
}

BudgetLimits Budget::limits_aside() const {
    BudgetLimits limits = limits_;
    limits.linear_programs = 10'000 + 100 * linear_programs_;
    // At least 1e-9, because 0 means no limit.
    if (limits.seconds > 0) limits.seconds = std::max((limits.seconds - seconds_passed()) / 2, 1e-9);
    return limits;
}

double Budget::seconds_passed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace polyrx
