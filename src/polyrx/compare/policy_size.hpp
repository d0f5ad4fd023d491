// SPDX-License-Identifier: Apache-2.0
// How much a person has to read to know what a policy does.
#pragma once

#include <cstddef>
#include <optional>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

// None where a policy has no such parts: a network is neither read leaf by leaf nor term by term.
struct PolicySize {
    std::optional<std::size_t> leaves;  // of a tree, or of all trees of a forest
    std::optional<std::size_t> terms;   // coefficients in splits and leaves
};

[[nodiscard]] PolicySize size_of(const Policy& policy);

}  // namespace polyrx
