// SPDX-License-Identifier: Apache-2.0
// Support as the JSON that a model file keeps of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/rules/support.hpp"

namespace polyrx {

[[nodiscard]] std::string support_json(const Support& support, const Encoder& encoder,
                                       const std::vector<std::string>& treatments);

// Throws a data error that begins with `place`. Whether the numbers fit the encoder, bind_support() checks.
[[nodiscard]] Support parse_support(std::string_view json, const Encoder& encoder,
                                    const std::vector<std::string>& treatments, const std::string& place);

}  // namespace polyrx
