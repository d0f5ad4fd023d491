// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "polyrx/core/error.hpp"

namespace polyrx {

MappedFile::MappedFile(const std::filesystem::path& path) {
    const auto fail = [&] { throw other_error(fmt::format("{}: {}", path.string(), std::strerror(errno))); };
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail();
    struct stat status{};
    void* begin = MAP_FAILED;
    const bool is_known = fstat(descriptor, &status) == 0;
    const bool is_empty = is_known && status.st_size == 0;  // empty files cannot be mapped
    if (is_known && !is_empty)
        begin = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int error = errno;
    close(descriptor);
    errno = error;
    if (is_empty) return;
    if (begin == MAP_FAILED) fail();
    bytes_ = {static_cast<const char*>(begin), static_cast<std::size_t>(status.st_size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace polyrx
