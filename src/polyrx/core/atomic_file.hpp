// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written beside its target, then renamed over it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace polyrx {

// Until commit() the target is untouched; without commit() the part written so far is removed. A target
// that is not a plain file (/dev/stdout, a named pipe) is written to directly, since it has no content to lose.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    // `check` gets the path of what was written, before it replaces anything, and throws if that must not happen. It is
    // not called for a target that is written to directly: that may be a pipe, which nobody can read back.
    void commit(const std::function<void(const std::filesystem::path&)>& check = {});

private:
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path target_;
    std::string beside_;  // empty when the target is written to directly
    int descriptor_ = -1;
};

}  // namespace polyrx
