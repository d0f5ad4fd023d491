// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/read_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "polyrx/core/error.hpp"
#include "polyrx/core/within_memory.hpp"

namespace polyrx {
namespace {

// Closes the file; leaves stdin open.
class InputFile {
public:
    explicit InputFile(const std::string& path)
        : descriptor_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~InputFile() {
        if (descriptor_ > STDIN_FILENO) close(descriptor_);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

std::string read_all(const std::string& path, const std::string& name, const Progress& progress) {
    constexpr std::size_t most_at_once = std::size_t{16} << 20;
    const std::string work = fmt::format("reading {}", name);

    const InputFile file(path);
    struct stat status{};
    if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0)
        throw data_error(fmt::format("{}: {}", name, std::strerror(errno)));
    if (S_ISDIR(status.st_mode)) throw data_error(fmt::format("{}: this is a directory, not a file", name));
    const std::size_t expected = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;

    std::string bytes(expected + 1, '\0');  // one extra byte, to detect the end without growing
    std::size_t length = 0;
    for (;;) {
        if (length == bytes.size()) bytes.resize(std::max(2 * length, std::size_t{1} << 16));
        // A signal just before read() would not interrupt it, so wait with a short timeout in a loop.
        pollfd ready{file.descriptor(), POLLIN, 0};
        constexpr int milliseconds = 100;
        const int answered = poll(&ready, 1, milliseconds);
        if (answered == 0 || (answered < 0 && errno == EINTR)) {
            report(progress, 0, work);
            continue;
        }
        const ssize_t got =
            read(file.descriptor(), bytes.data() + length, std::min(bytes.size() - length, most_at_once));
        if (got == 0) break;
        if (got < 0 && errno != EINTR) throw data_error(fmt::format("{}: {}", name, std::strerror(errno)));
        if (got > 0) length += static_cast<std::size_t>(got);
        // Also after a signal: the callback reports whether it was Ctrl-C.
        report(progress, expected > 0 ? std::min(1.0, static_cast<double>(length) / static_cast<double>(expected)) : 0,
               work);
    }
    bytes.resize(length);
    return bytes;
}

class Inflater {
public:
    Inflater() {
        constexpr int gzip_only = 16;
        if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream stream{};
};

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

// The uncompressed size claimed by the last four bytes, limited by the maximum ratio of deflate, 1032 : 1.
std::size_t claimed_length(std::string_view packed) {
    if (packed.size() < 18) return 0;
    std::uint32_t claimed = 0;
    for (std::size_t i = 1; i <= 4; ++i) claimed = claimed << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
    return std::min<std::size_t>(claimed, 1032 * packed.size());
}

std::string unpack(std::string_view packed, const std::string& name) {
    const auto fail = [&](const char* why) {
        throw data_error(fmt::format("{}: not a readable gzip file: {}", name, why));
    };
    Inflater inflater;
    z_stream& stream = inflater.stream;
    std::string unpacked;
    unpacked.reserve(claimed_length(packed) + 1);
    std::size_t length = 0;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    for (;;) {
        if (length == unpacked.size()) {
            // Grows in steps within the reserved memory, so that a false claim uses only address space.
            constexpr std::size_t step = std::size_t{4} << 20;
            unpacked.resize(length < unpacked.capacity() ? std::min(unpacked.capacity(), length + step) : 2 * length);
        }
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(std::min(packed.size(), most));
        stream.next_out = reinterpret_cast<Bytef*>(unpacked.data() + length);
        stream.avail_out = static_cast<uInt>(std::min(unpacked.size() - length, most));
        const uInt room = stream.avail_out;
        const uInt given = stream.avail_in;
        const int status = inflate(&stream, Z_NO_FLUSH);
        packed.remove_prefix(given - stream.avail_in);
        length += room - stream.avail_out;
        if (status == Z_STREAM_END) {
            // Tapes and some programs pad with zeros.
            if (packed.find_first_not_of('\0') == std::string_view::npos) break;
            if (!is_gzip(packed)) fail("unexpected bytes after its end");
            inflateReset(&stream);
        } else if (status == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (status == Z_BUF_ERROR || (status == Z_OK && packed.empty() && stream.avail_out > 0)) {
            fail("the file is truncated");
        } else if (status != Z_OK) {
            fail(stream.msg != nullptr ? stream.msg : "the content is corrupt");
        }
    }
    unpacked.resize(length);
    return unpacked;
}

}  // namespace

std::string read_bytes(const std::string& path, const Progress& progress) {
    const std::string name = path == "-" ? "stdin" : path;
    std::string bytes = within_memory(name, [&] { return read_all(path, name, progress); });
    return unpack_if_gzip(std::move(bytes), name);
}

std::string unpack_if_gzip(std::string bytes, const std::string& name) {
    if (!is_gzip(bytes)) return bytes;
    return within_memory(name, [&] { return unpack(bytes, name); });
}

}  // namespace polyrx
