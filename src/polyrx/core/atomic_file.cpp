// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "polyrx/core/error.hpp"
#include "polyrx/core/sha256.hpp"

namespace polyrx {
namespace {

std::string short_hash(std::string_view text) {
    Sha256 hash;
    hash.add(text);
    return hash.hex().substr(0, 12);
}

// The prefix of temporary files for this target on this machine.
std::string prefix_beside(const std::filesystem::path& target) {
    std::array<char, 256> host{};
    (void)gethostname(host.data(), host.size() - 1);
    return fmt::format(".polyrx.{}.{}.", short_hash(host.data()), short_hash(target.filename().string()));
}

bool is_same_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Each temporary file is locked until its process ends, however it ends. On file systems without locks, nothing is
// removed.
bool lock(int descriptor) {
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

// Removes a temporary file if its process was killed.
void remove_abandoned(const std::filesystem::path& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return;
    struct stat opened{};
    struct stat named{};
    if (fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() && lock(descriptor) &&
        lstat(path.c_str(), &named) == 0 && is_same_file(opened, named))
        unlink(path.c_str());
    close(descriptor);
}

void remove_abandoned_beside(const std::filesystem::path& target) {
    const std::string prefix = prefix_beside(target);
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->path().filename().string().starts_with(prefix)) remove_abandoned(entry->path());
}

// Creates a file in the folder of `target` with default permissions. mkstemp's are narrower, and widening them would
// need the umask, which can only be read by changing it for the whole process. Returns -1 and sets errno on failure.
int open_beside(const std::filesystem::path& target, std::string& name) {
    const std::string prefix = prefix_beside(target);
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = (target.parent_path() / fmt::format("{}{:08x}", prefix, random())).string();
        const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) return descriptor;
        if (descriptor < 0) continue;
        // Before the lock, another process may have considered it abandoned and removed it.
        struct stat status{};
        const bool is_locked = lock(descriptor);
        if ((is_locked || errno != EWOULDBLOCK) && fstat(descriptor, &status) == 0 && status.st_nlink > 0)
            return descriptor;
        close(descriptor);
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
    remove_abandoned_beside(target_);
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

void AtomicFile::commit(const std::function<void(const std::filesystem::path&)>& check) {
    // fsync before rename: otherwise a power cut can leave an empty file. Pipes and devices return EINVAL, which is not
    // an error.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail("cannot write");
    // close() can fail, so it must precede the rename, but the lock must last until after it.
    const int locked = beside_.empty() ? -1 : fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    const int descriptor = descriptor_;
    descriptor_ = locked;
    if (close(descriptor) != 0) fail("cannot write");
    if (beside_.empty()) return;
    if (check) check(beside_);
    if (rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot replace");
    beside_.clear();
}

void AtomicFile::fail(const char* what) const {
    throw other_error(fmt::format("{} {}: {}", what, target_.string(), std::strerror(errno)));
}

}  // namespace polyrx
