// SPDX-License-Identifier: Apache-2.0
// The size of a baseline: how much a person has to read to know what it does.
#pragma once

#include <cstddef>
#include <optional>

#include "polyrx/baselines/baseline.hpp"

namespace polyrx {

// Empty if a method has no such parts.
struct BaselineSize {
    std::optional<std::size_t> leaves;  // of one tree, or of all trees together
    std::optional<std::size_t> terms;   // coefficients in splits or sums
};
[[nodiscard]] BaselineSize size_of(const Baseline& baseline);

}  // namespace polyrx
