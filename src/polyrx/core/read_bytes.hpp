// SPDX-License-Identifier: Apache-2.0
// The bytes of a file or of standard input, unpacked if they are gzip.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/core/progress.hpp"

namespace polyrx {

// `path` "-" means standard input. Throws a data error that says why a file cannot be read.
[[nodiscard]] std::string read_bytes(const std::string& path, const Progress& progress = {});

// The bytes themselves, or what they hold if they begin like a gzip file; `name` begins the messages.
[[nodiscard]] std::string unpack_if_gzip(std::string bytes, const std::string& name);

}  // namespace polyrx
