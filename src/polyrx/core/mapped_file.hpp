// SPDX-License-Identifier: Apache-2.0
// A memory-mapped file, so that reading through it needs no buffer.
#pragma once

#include <filesystem>
#include <string_view>

namespace polyrx {

class MappedFile {
public:
    // Throws an error if the file cannot be read.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    // Valid during the lifetime of the object, unless the file is truncated.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

private:
    std::string_view bytes_;
};

}  // namespace polyrx
