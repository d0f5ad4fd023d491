// SPDX-License-Identifier: Apache-2.0
// Support as JSON in a model file.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/support.hpp"

namespace polyrx {

class Json;
class JsonCursor;

[[nodiscard]] Json json_of(const Support& support, const Encoder& encoder, const std::vector<std::string>& treatments);

// bind_support() checks that the numbers fit the encoder.
[[nodiscard]] Support support_in(const JsonCursor& json, const Encoder& encoder,
                                 const std::vector<std::string>& treatments);

}  // namespace polyrx
