// SPDX-License-Identifier: Apache-2.0
#include "domain_option.hpp"

namespace polyrx::cli {

Option domain_option(std::vector<std::string>& target) {
    return option(target, "domain", "X=LOW:HIGH,...",
                  "override the model's domain: age=18:90, age=:90, sex=F|M; may be given more than once");
}

}  // namespace polyrx::cli
