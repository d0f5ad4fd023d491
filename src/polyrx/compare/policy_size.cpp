// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/policy_size.hpp"

namespace polyrx {

PolicySize size_of(const Policy& /*policy*/) {
    return {};
}

}  // namespace polyrx
