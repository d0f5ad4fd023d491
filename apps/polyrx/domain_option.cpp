// SPDX-License-Identifier: Apache-2.0
#include "domain_option.hpp"

namespace polyrx::cli {

Option domain_option(std::vector<std::string>& target) {
    return option(target, "domain", "X=LOW:HIGH,...",
                  "instead of the bounds in the model: age=18:90, age=:90, sex=F|M; may be given more than once");
}

std::vector<DomainOverride> parse_domain(const std::vector<std::string>& overrides) {
    std::vector<DomainOverride> parsed;
    for (const std::string& text : overrides) parsed.push_back(parse_override(text));
    return parsed;
}

}  // namespace polyrx::cli
