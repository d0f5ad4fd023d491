// SPDX-License-Identifier: Apache-2.0
// Model and tree files replace what is there only after polyrx has read them back.
#pragma once

#include <filesystem>

namespace polyrx {

// Throws unless the file is a model or a tree that polyrx can read. For AtomicFile::commit(); holds only what cannot
// take gigabytes (docs/decisions/0023-read-back.md).
void check_written(const std::filesystem::path& written);

}  // namespace polyrx
