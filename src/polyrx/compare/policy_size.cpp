// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/policy_size.hpp"

#include "polyrx/baselines/as_tree.hpp"

namespace polyrx {

PolicySize size_of(const Policy& policy) {
    if (!policy.baseline) return {};
    const BaselineSize size = size_of(*policy.baseline);
    return {size.leaves, size.terms};
}

}  // namespace polyrx
