// SPDX-License-Identifier: Apache-2.0
// Support as the JSON that a model file keeps of it.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/support.hpp"

namespace polyrx {

class Json;
class JsonCursor;

[[nodiscard]] Json json_of(const Support& support, const Encoder& encoder, const std::vector<std::string>& treatments);

// Whether the numbers fit the encoder, bind_support() checks.
[[nodiscard]] Support support_in(const JsonCursor& json, const Encoder& encoder,
                                 const std::vector<std::string>& treatments);

}  // namespace polyrx
