// SPDX-License-Identifier: Apache-2.0
// How much a person has to read to know what a policy does.
#pragma once

#include <cstddef>
#include <optional>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

// None where a policy has no such parts: a network is neither read leaf by leaf nor term by term.
struct PolicySize {
    std::optional<std::size_t> leaves;  // of a tree, or of all trees together
    std::optional<std::size_t> terms;   // numbers in splits or sums
};

[[nodiscard]] PolicySize size_of(const Policy& policy);

}  // namespace polyrx
