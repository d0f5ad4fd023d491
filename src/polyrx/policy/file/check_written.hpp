// SPDX-License-Identifier: Apache-2.0
// Checks a written model or tree file by reading it back, before it replaces an existing file.
#pragma once

#include <filesystem>

namespace polyrx {

// Throws unless the file is a model or a tree that polyrx can read. For AtomicFile::commit(). Never holds parts that
// can take gigabytes (docs/decisions/0023-read-back.md).
void check_written(const std::filesystem::path& written);

}  // namespace polyrx
