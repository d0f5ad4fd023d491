// SPDX-License-Identifier: Apache-2.0
// A file that is written completely or not at all: a temporary file next to its target, renamed over it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace polyrx {

// The target does not change before commit(). Without commit(), the temporary file is removed. If the process is
// killed, the next one that writes the same target removes it. A target that is not a regular file (/dev/stdout, a
// named pipe) is written to directly, because it has no content to lose.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    // `check` receives the path of the temporary file before it replaces the target, and throws to prevent that. It is
    // not called for a target that is written to directly, which may be a pipe that cannot be read back.
    void commit(const std::function<void(const std::filesystem::path&)>& check = {});

private:
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path target_;
    std::string beside_;  // empty if the target is written to directly
    int descriptor_ = -1;
};

}  // namespace polyrx
