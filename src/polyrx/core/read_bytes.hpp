// SPDX-License-Identifier: Apache-2.0
// Reads a file or stdin, decompressing gzip.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/core/progress.hpp"

namespace polyrx {

// A `path` of "-" reads stdin. Throws a data error if the file cannot be read.
[[nodiscard]] std::string read_bytes(const std::string& path, const Progress& progress = {});

// Decompresses the bytes if they start like a gzip file. `name` prefixes error messages.
[[nodiscard]] std::string unpack_if_gzip(std::string bytes, const std::string& name);

}  // namespace polyrx
