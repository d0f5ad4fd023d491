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

// Calls use() once for each; the last is the slow one that every machine has.
template <class Use>
void for_each_target(Use use) {
    std::set<std::string_view> seen;
    const std::int64_t supported = hwy::SupportedTargets();
    for (std::int64_t left = supported; left != 0; left &= left - 1) {
        hwy::SetSupportedTargetsForTest(left & -left);
        if (!seen.insert(kernel_target()).second) continue;
        SCOPED_TRACE(std::string(kernel_target()));
        use();
    }
    hwy::SetSupportedTargetsForTest(0);
}

}  // namespace polyrx::test
