// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

// If stderr is closed or the disk is full, messages are lost, but the work continues.
void write_words(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void write_data(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR && !interrupted) continue;
            if (errno == EINTR) throw Error(ErrorKind::canceled, "canceled");
            if (errno == EPIPE) throw ClosedPipe();
            throw other_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

bool is_standard_output(const std::string& path) {
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

void hold_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // open() returns the lowest free descriptor. Reading and writing fail as if it were closed.
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
    }
}

void install_signal_handlers() {
    struct sigaction stop{};
    stop.sa_handler = [](int) { interrupted = true; };
    stop.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends a program that does not respond
    sigaction(SIGINT, &stop, nullptr);
    sigaction(SIGTERM, &stop, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void forgive_interrupt() {
    interrupted = false;
    install_signal_handlers();
}

void Terminal::say(std::string_view line) {
    if (!quiet_) warn(line);
}

void Terminal::warn(std::string_view line) {
    end();
    write_words(without_controls(line) + "\n");
}

void Terminal::say(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) say(line);
}

void Terminal::warn(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) warn(line);
}

void Terminal::end() {
    clear_bar();
    if (!opening_.empty()) write_words(without_controls(opening_) + "\n");
    opening_.clear();
}

void Terminal::fail(std::string_view line) {
    opening_.clear();
    warn(line);
}

Progress Terminal::progress() {
    const bool show = !quiet_ && isatty(STDERR_FILENO) == 1;
    // Several threads may report progress; one draws at a time.
    auto mutex = std::make_shared<std::mutex>();
    return [this, show, mutex, started = Clock::now(), drawn = std::make_shared<Clock::time_point>()](
               double share_done, std::string_view work) {
        if (interrupted) {
            const std::lock_guard lock(*mutex);
            clear_bar();
            return false;
        }
        if (!show) return true;
        const auto now = Clock::now();
        const std::unique_lock lock(*mutex, std::try_to_lock);
        if (!lock || now - started < std::chrono::seconds(1) || now - *drawn < std::chrono::milliseconds(100))
            return true;
        *drawn = now;
        draw(share_done, work);
        return true;
    };
}

void Terminal::draw(double share_done, std::string_view work) {
    constexpr int width = 30;
    const int filled = static_cast<int>(share_done * width);
    write_words(
        fmt::format("\r\033[K{:<12}[{:#<{}}{:.<{}}] {:3.0f}%", work, "", filled, "", width - filled, 100 * share_done));
    bar_is_drawn_ = true;
}

void Terminal::clear_bar() {
    if (!bar_is_drawn_) return;
    write_words("\r\033[K");
    bar_is_drawn_ = false;
}

Output::Output(const std::string& path) {
    check_writable(path);
    if (!is_standard_output(path)) file_ = std::make_unique<AtomicFile>(path);
}

void Output::write(std::string_view bytes) {
    if (interrupted) throw Error(ErrorKind::canceled, "canceled");
    if (file_)
        file_->write(bytes);
    else
        write_data(bytes);
}

void Output::write_text(std::string_view text) {
    write(without_controls(text));
}

void Output::commit(const Check& check) {
    if (file_) file_->commit(check);
}

void save(const std::string& path, const std::function<void(const Sink&)>& write, const Check& check) {
    Output output(path);
    write([&](std::string_view bytes) { output.write(bytes); });
    output.commit(check);
}

void save(const std::string& path, std::string_view bytes) {
    save(path, [&](const Sink& sink) { sink(bytes); });
}

void check_writable(const std::string& path, const std::vector<std::string>& inputs) {
    if (is_standard_output(path)) return;
    const std::filesystem::path target(path);
    std::error_code ignored;
    for (const std::string& input : inputs)
        if (std::filesystem::is_regular_file(target, ignored) &&
            std::filesystem::equivalent(target, input == "-" ? "/dev/stdin" : input, ignored))
            throw usage_error(fmt::format("the result would replace {}, which is read: name another file", path));
    if (std::filesystem::is_directory(target, ignored))
        throw other_error(fmt::format("cannot write {}: it is a folder", path));
    if (std::filesystem::is_symlink(target, ignored) && std::filesystem::exists(target, ignored))
        return check_writable(std::filesystem::canonical(target).string(), {});
    const bool exists = std::filesystem::exists(target, ignored);
    if (exists && access(path.c_str(), W_OK) != 0)
        // Renaming would also replace a write-protected file, against its owner's intention.
        throw other_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    if (exists && !std::filesystem::is_regular_file(target, ignored)) return;  // written directly
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, ignored))
        throw other_error(fmt::format("cannot write {}: there is no folder {}", path, folder.string()));
    if (access(folder.c_str(), W_OK) != 0)
        throw other_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

OutputFolder::OutputFolder(const std::string& path) {
    std::error_code failure;
    for (std::filesystem::path folder = path; !folder.empty() && !std::filesystem::exists(folder, failure);
         folder = folder.parent_path())
        made_.push_back(folder.string());
    std::filesystem::create_directories(path, failure);
    if (failure) throw other_error(fmt::format("cannot make the folder {}: {}", path, failure.message()));
}

OutputFolder::~OutputFolder() {
    for (const std::string& folder : made_) (void)rmdir(folder.c_str());
}

void check_apart(const std::string& output, const std::string& other, std::string_view option) {
    // Makes paths absolute first, because weakly_canonical() keeps relative paths to missing files.
    const auto place = [](const std::string& path) {
        std::error_code ignored;
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
    };
    if (is_standard_output(output) ? is_standard_output(other) : place(output) == place(other))
        throw usage_error(fmt::format("--output and {} cannot both write {}", option, other));
}

void repeat_recommendation(const Policy& policy, Terminal& terminal) {
    if (!policy.recommendation)
        terminal.say(not_compared);
    else if (!policy.recommendation->recommended)
        terminal.begin_with(without_controls(policy.recommendation->sentence, LineEnds::escape));
}

}  // namespace polyrx::cli
