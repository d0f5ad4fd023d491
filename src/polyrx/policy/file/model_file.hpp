// SPDX-License-Identifier: Apache-2.0
// Reads and writes a policy as a versioned JSON file; weights round-trip bit for bit.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

class Json;

inline constexpr int model_format_version = 4;

// The format is in docs/formats.md. Writes in pieces, because a large forest takes gigabytes.
void write_model(const Policy& policy, const std::function<void(std::string_view)>& write);
[[nodiscard]] std::string to_json(const Policy& policy);

// Throws a data error that says what is wrong: invalid or truncated JSON, not a polyrx model, written by a newer
// version, changed after writing, or inconsistent. `name` begins the message.
[[nodiscard]] Policy parse_model(std::string_view json, const std::string& name);
// Throws like parse_model(), but holds at most one tree of a forest at a time.
void check_model(std::string_view json, const std::string& name);
// Reads from a parsed document. If `trees` only checks trees, the policy must not be used.
[[nodiscard]] Policy policy_in(Json json, const std::string& name, TreeReading trees);

// The checksum in the model file. Policies have equal checksums only if their content is equal.
[[nodiscard]] std::string model_sha256(const Policy& policy);

// A model or tree file, read once because it may be a pipe. `name` is its name in messages. "-" reads standard input.
struct PolicyFile {
    std::string name;
    std::string bytes;
};
[[nodiscard]] PolicyFile read_policy_file(const std::string& path, const Progress& progress = {});

// Replaces an existing file only after reading the new one back (check_written.hpp).
void save_model(const Policy& policy, const std::filesystem::path& path);
// "-" reads standard input.
[[nodiscard]] Policy load_model(const std::string& path, const Progress& progress = {});

}  // namespace polyrx
