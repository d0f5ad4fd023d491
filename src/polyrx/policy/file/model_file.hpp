// SPDX-License-Identifier: Apache-2.0
// A policy as one versioned JSON file, whose weights survive the round trip bit for bit.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

class Json;

inline constexpr int model_format_version = 4;

// The format is in docs/formats.md. In pieces, since that of a large forest takes gigabytes.
void write_model(const Policy& policy, const std::function<void(std::string_view)>& write);
[[nodiscard]] std::string to_json(const Policy& policy);

// Throws a data error that says what is wrong: not JSON or cut short, not a polyrx model, written by a newer
// version, changed since it was written, or inconsistent. `name` begins the message.
[[nodiscard]] Policy parse_model(std::string_view json, const std::string& name);
// Throws as parse_model() does, and holds no more than one tree of a forest at a time.
void check_model(std::string_view json, const std::string& name);
// From a document that was parsed already. With trees that are only checked, it is for nothing else.
[[nodiscard]] Policy policy_in(Json json, const std::string& name, TreeReading trees);

// The checksum in the policy's model file: equal only for policies with the same content.
[[nodiscard]] std::string model_sha256(const Policy& policy);

// A model or tree file, read once, since it may be a pipe; `name` is what messages call it. "-" reads standard input.
struct PolicyFile {
    std::string name;
    std::string bytes;
};
[[nodiscard]] PolicyFile read_policy_file(const std::string& path, const Progress& progress = {});

// Replaces what is there only after the file was read back (check_written.hpp).
void save_model(const Policy& policy, const std::filesystem::path& path);
// "-" reads standard input.
[[nodiscard]] Policy load_model(const std::string& path, const Progress& progress = {});

}  // namespace polyrx
