// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written beside its target, then renamed over it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace polyrx {

// Until commit() the target is untouched; without commit() the part written so far is removed. If the process is
// killed, the next one that writes the same target removes it. A target that is not a plain file (/dev/stdout, a named
// pipe) is written to directly, since it has no content to lose.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void commit();

private:
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path target_;
    std::string beside_;  // empty when the target is written to directly
    int descriptor_ = -1;
};

}  // namespace polyrx
