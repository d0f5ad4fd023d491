// SPDX-License-Identifier: Apache-2.0
// The bytes of a file where the system keeps them anyway: what is only looked through takes no memory of its own.
#pragma once

#include <filesystem>
#include <string_view>

namespace polyrx {

class MappedFile {
public:
    // Throws an error that says why a file cannot be read.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    // Valid while this lives and nobody shortens the file.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

private:
    std::string_view bytes_;
};

}  // namespace polyrx
