// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Creates a file in the folder of `target` with default permissions. mkstemp's are narrower, and widening them would
// need the umask, which can only be read by changing it for the whole process. Returns -1 and sets errno on failure.
int open_beside(const std::filesystem::path& target, std::string& name) {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = (target.parent_path() / fmt::format(".polyrx.{:08x}", random())).string();
        const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target) {
    struct stat status{};
    const bool exists = stat(target_.c_str(), &status) == 0;
    if (!exists && errno == ELOOP) fail("cannot write");
    // If the target is a symbolic link, replace the file that it points to and keep the link.
    std::error_code failure;
    if (exists && S_ISREG(status.st_mode) && std::filesystem::is_symlink(target_, failure)) {
        const auto pointed_at = std::filesystem::canonical(target_, failure);
        if (!failure) target_ = pointed_at;
    }
    // A dangling link has no canonical path.
    while (!exists && std::filesystem::is_symlink(target_, failure))
        target_ = target_.parent_path() / std::filesystem::read_symlink(target_);
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail("cannot write");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) fail("cannot write");
        return;
    }
    descriptor_ = open_beside(target_, beside_);
    if (descriptor_ < 0) {
        beside_.clear();
        fail("cannot write");
    }
    // Keeps the old file's permissions. Fails only on file systems without permissions.
    if (exists) (void)fchmod(descriptor_, status.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!beside_.empty()) unlink(beside_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            fail("cannot write");
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    // fsync before rename: otherwise a power cut can leave an empty file. Pipes and devices return EINVAL, which is not
    // an error.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail("cannot write");
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (close(descriptor) != 0) fail("cannot write");
    if (beside_.empty()) return;
    if (rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot replace");
    beside_.clear();
}

void AtomicFile::fail(const char* what) const {
    throw other_error(fmt::format("{} {}: {}", what, target_.string(), std::strerror(errno)));
}

}  // namespace polyrx
