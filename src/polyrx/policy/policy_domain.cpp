// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/policy_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {

namespace {

// By input: whether the network, a rule or support reads it.
std::vector<char> used_inputs(const Policy& policy) {
    std::vector<char> used(policy.encoder.columns().size());
    for (std::size_t input = 0; input < used.size(); ++input)
        used[input] =
            (policy.network.layers().front().weights.col(static_cast<Eigen::Index>(input)).array() != 0).any() ? 1 : 0;
    std::vector<Eigen::Index> asked;
    for (const SupportRule& rule : policy.rules.bound.support()) collect_inputs(rule.applies, asked);
    for (const Eigen::Index input : asked) used[static_cast<std::size_t>(input)] = 1;
    return used;
}

}  // namespace

Domain policy_domain(const Policy& policy, const std::vector<DomainOverride>& overrides) {
    // Larger than any 64-bit number, but small enough for sums and differences of bounds.
    constexpr double far = 1e20;
    const double largest = largest_safe_input(policy.network);
    const double reach = std::floor(std::min(far, largest));  // a whole number, to be valid for whole-number inputs

    Domain domain = domain_of(policy.encoder, overrides);
    const std::vector<char> is_used = used_inputs(policy);
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        const Feature& feature =
            policy.encoder.features()[policy.encoder.columns()[static_cast<std::size_t>(input)].feature];
        const bool used = is_used[static_cast<std::size_t>(input)] != 0;
        double& lower = domain.lower[input];
        double& upper = domain.upper[input];
        if (used && (std::isinf(lower) || std::isinf(upper)))
            throw usage_error(
                fmt::format("the domain of {} has no {} bound, but the policy uses it: expected a finite "
                            "range such as {}=18:90",
                            in_quotes(feature.name), std::isinf(lower) ? "lower" : "upper", feature.name));
        if (std::isinf(lower)) lower = std::min(-reach, upper);
        if (std::isinf(upper)) upper = std::max(reach, lower);
        if (std::max(std::abs(lower), std::abs(upper)) > largest)
            throw usage_error(
                fmt::format("the domain of {}, from {} to {}, is too wide for this model: its predicted outcomes may "
                            "not be finite",
                            in_quotes(feature.name), lower, upper));
    }
    return domain;
}

Domain with_seen_missing(Domain domain, const Encoder& encoder, const std::vector<DomainOverride>& overrides) {
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        const Feature& feature = encoder.features()[encoder.columns()[static_cast<std::size_t>(input)].feature];
        const bool declared = std::ranges::find(overrides, feature.name, &DomainOverride::feature) != overrides.end();
        if (feature.says_missing() && !declared) domain.upper[input] = domain.lower[input];
    }
    return domain;
}

Domain tree_domain(const Policy& policy, const std::vector<DomainOverride>& overrides) {
    return with_seen_missing(policy_domain(policy, overrides), policy.encoder, overrides);
}

}  // namespace polyrx
