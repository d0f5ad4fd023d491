// SPDX-License-Identifier: Apache-2.0
// The model reader on arbitrary bytes: an error, or a policy that survives being written.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::optional<polyrx::Policy> policy;
    try {
        policy = polyrx::parse_model({reinterpret_cast<const char*>(data), size}, "model.json");
    } catch (const polyrx::Error&) {
        return 0;
    }
    const std::string written = polyrx::to_json(*policy);
    const std::string again = polyrx::to_json(polyrx::parse_model(written, "written.json"));
    if (nlohmann::json::parse(again) != nlohmann::json::parse(written)) std::abort();
    return 0;
}
