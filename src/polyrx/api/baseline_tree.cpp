// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/baseline_tree.hpp"

#include "polyrx/baselines/as_tree.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/exact/tree_within_rules.hpp"
#include "polyrx/policy/policy_domain.hpp"

namespace polyrx {

std::optional<Tree> baseline_tree(const Policy& policy) {
    if (!policy.baseline) return std::nullopt;
    const std::optional<BaselineTree> own =
        as_tree(*policy.baseline, policy.encoder, with_seen_missing(domain_of(policy.encoder), policy.encoder));
    if (!own) return std::nullopt;
    return tree_within_rules(own->tree, own->preferences, policy.rules.bound);
}

}  // namespace polyrx
