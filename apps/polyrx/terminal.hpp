// SPDX-License-Identifier: Apache-2.0
// The program's output: messages and a progress bar on stderr, results on stdout or in a file.
//
// Names, labels and paths may contain control characters. All messages and all text for people pass through
// without_controls() here, so that they cannot control the terminal.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/atomic_file.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {
struct Policy;
}

namespace polyrx::cli {

// The reader of stdout has closed the pipe, so the program ends quietly.
class ClosedPipe {};

class Terminal {
public:
    void be_quiet() { quiet_ = true; }

    // Prints a message on stderr unless quiet.
    void say(std::string_view line);
    // Prints a warning on stderr, even if quiet.
    void warn(std::string_view line);
    void say(const std::vector<std::string>& lines);
    void warn(const std::vector<std::string>& lines);
    // Sets a warning to print before all other messages. If the verb fails, only the error is printed.
    void begin_with(std::string_view line) { opening_ = line; }
    // Called when the verb succeeds.
    void end();
    // Called when the verb fails.
    void fail(std::string_view line);

    // A listener that draws a bar if stderr is a terminal and the work takes more than a second. It stops the work
    // after Ctrl-C.
    [[nodiscard]] Progress progress();

private:
    void draw(double share_done, std::string_view work);
    void clear_bar();

    std::string opening_;
    bool quiet_ = false;
    bool bar_is_drawn_ = false;
};

// Call once, before any file is opened. Occupies the descriptors of closed standard streams, so that output to them
// cannot end up in a file.
void hold_standard_streams();

// Call once, before any work. Makes Ctrl-C request a stop (a second one kills), and turns a full disk or closed pipe
// into ordinary errors.
void install_signal_handlers();

// Resets a requested stop if the stopped work has a result, so that later work can be interrupted again.
void forgive_interrupt();

// Receives the path of the temporary file before it replaces the target, and throws to prevent that. For models and
// trees: check_written().
using Check = std::function<void(const std::filesystem::path&)>;

// The destination of results: a file that appears only when complete, or stdout for "-".
class Output {
public:
    explicit Output(const std::string& path);
    // Writes bytes unchanged, for formats that escape their content.
    void write(std::string_view bytes);
    // Writes text for people.
    void write_text(std::string_view text);
    void commit(const Check& check = {});

private:
    std::unique_ptr<AtomicFile> file_;  // null for stdout
};

// Writes a complete file, or stdout, from what `write` passes to its sink.
using Sink = std::function<void(std::string_view)>;
void save(const std::string& path, const std::function<void(const Sink&)>& write, const Check& check = {});
void save(const std::string& path, std::string_view bytes);

// Recognizes all names of stdout. Through /dev/stdout, a file that the shell appends to must not be replaced.
[[nodiscard]] bool is_standard_output(const std::string& path);

// Throws before the work if the result cannot be written, or if it would replace one of the input files. "-" is always
// writable.
void check_writable(const std::string& path, const std::vector<std::string>& inputs = {});

// Creates a folder and its parents unless they exist.
class OutputFolder {
public:
    explicit OutputFolder(const std::string& path);
    // Removes the folders it made if nothing was written to them.
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::vector<std::string> made_;  // innermost first
};

// Throws if a result and another file (its schema, unless `option` says otherwise) are the same file, under any names.
void check_apart(const std::string& output, const std::string& other, std::string_view option = "--schema");

// Says so unless the policy is recommended. Every verb that reads a model calls this.
void repeat_recommendation(const Policy& policy, Terminal& terminal);

}  // namespace polyrx::cli
