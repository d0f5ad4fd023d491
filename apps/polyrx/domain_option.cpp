// SPDX-License-Identifier: Apache-2.0
#include "domain_option.hpp"

namespace polyrx::cli {

Option domain_option(std::vector<std::string>& target) {
    return option(target, "domain", "X=LOW:HIGH,...",
                  "override the model's domain: age=18:90, age=:90, sex=F|M; may be given more than once");
}

namespace {

std::vector<DomainOverride> parse_all(const std::vector<std::string>& overrides) {
    std::vector<DomainOverride> parsed;
    for (const std::string& text : overrides) parsed.push_back(parse_override(text));
    return parsed;
}

}  // namespace

Domain domain_for(const Policy& policy, const std::vector<std::string>& overrides) {
    return policy_domain(policy, parse_all(overrides));
}

Domain tree_domain_for(const Policy& policy, const std::vector<std::string>& overrides) {
    return tree_domain(policy, parse_all(overrides));
}

}  // namespace polyrx::cli
