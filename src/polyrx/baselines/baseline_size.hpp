// SPDX-License-Identifier: Apache-2.0
// How much a person has to read to know what a baseline does.
#pragma once

#include <cstddef>
#include <optional>

#include "polyrx/baselines/baseline.hpp"

namespace polyrx {

// None where a method has no such parts.
struct BaselineSize {
    std::optional<std::size_t> leaves;  // of a tree, or of all trees together
    std::optional<std::size_t> terms;   // numbers in splits or sums
};
[[nodiscard]] BaselineSize size_of(const Baseline& baseline);

}  // namespace polyrx
