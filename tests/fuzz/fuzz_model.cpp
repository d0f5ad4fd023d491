// SPDX-License-Identifier: Apache-2.0
// The model reader on arbitrary bytes: an error, or a policy that survives being written and can prescribe.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/parse_json.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "tests/support/empty_row.hpp"

namespace {

void try_model(const std::string& text) {
    try {
        const polyrx::Policy policy = polyrx::parse_model(text, "model.json");
        const std::string written = polyrx::to_json(policy);
        if (polyrx::to_json(polyrx::parse_model(written, "written.json")) != written) std::abort();
        (void)polyrx::prescribe(policy, polyrx::test::empty_row(policy), {.outcomes = true});
    } catch (const polyrx::Error&) {
        return;  // a clear sentence is all that bad input gets
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try_model(text);
    // Hardly any mutation keeps the checksum, so the input is also tried under one that fits.
    if (size > 10'000) return 0;
    try {
        polyrx::Json document = polyrx::parse_json(text, "model.json");
        if (!document.is_object()) return 0;
        document.erase("sha256");
        document.sort_members();
        document["sha256"] = polyrx::sha256_hex(document.dump());
        try_model(document.dump());
    } catch (const polyrx::Error&) {
        return 0;  // no JSON
    }
    return 0;
}
