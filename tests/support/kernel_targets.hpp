// SPDX-License-Identifier: Apache-2.0
// Runs a piece of a test with the kernels of every SIMD target that this machine has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <set>
#include <string>

#include "polyrx/train/train_kernel.hpp"

namespace polyrx::test {

// For as long as it lives, the kernels are those of one target.
class ForcedTarget {
public:
    explicit ForcedTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
    ~ForcedTarget() { hwy::SetSupportedTargetsForTest(0); }
    ForcedTarget(const ForcedTarget&) = delete;
    ForcedTarget& operator=(const ForcedTarget&) = delete;
};

// Calls use() once for each, the best first and the one that every machine has last.
template <class Use>
void for_each_target(Use use) {
    const std::string best(kernel_target());
    std::set<std::string> seen;
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        const ForcedTarget forced(left & -left);
        if (!seen.emplace(kernel_target()).second) continue;
        SCOPED_TRACE(std::string(kernel_target()));
        use();
    }
    EXPECT_TRUE(seen.contains(best)) << "the kernels that run here were not tried";
#if defined(__x86_64__)
    EXPECT_TRUE(seen.contains("plain")) << "the kernels without SIMD were not tried";
    EXPECT_GE(seen.size(), 2U) << "the target could not be forced";
#endif
}

}  // namespace polyrx::test
