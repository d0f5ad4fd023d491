// SPDX-License-Identifier: Apache-2.0
// The program's mouth: words and a progress bar on stderr, data on stdout or into a file.
//
// Names, labels and paths in words may hold anything. Whatever is said, and all text for people, passes through
// without_controls() here, so that no name can steer a terminal.
#pragma once

#include <chrono>
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

// Whoever read our standard output has gone; nothing is left to be said.
class ClosedPipe {};

class Terminal {
public:
    void be_quiet() { quiet_ = true; }

    // A line for a person, on stderr. Nothing when quiet.
    void say(std::string_view line);
    // What is wrong or doubtful, on stderr, even when quiet.
    void warn(std::string_view line);
    void say(const std::vector<std::string>& lines);
    void warn(const std::vector<std::string>& lines);
    // A warning that comes before all others, unless the verb fails: then its error is all that is said.
    void begin_with(std::string_view line) { opening_ = line; }
    // The verb has succeeded.
    void end();
    // The verb has failed.
    void fail(std::string_view line);

    // A listener that draws a bar when stderr is a terminal and the work takes more than a second, and that stops the
    // work once Ctrl-C was pressed.
    [[nodiscard]] Progress progress();

private:
    void draw(double share_done, std::string_view work);
    void clear_bar();

    std::string opening_;
    bool quiet_ = false;
    bool bar_is_drawn_ = false;
};

// To be called once, before any file is opened: standard streams that are closed get a descriptor that nothing else
// can take, so that no word meant for them lands in a file.
void hold_standard_streams();

// To be called once, before any work: Ctrl-C asks the work to stop (a second one kills), and a full disk or a closed
// pipe becomes an error that is handled like any other.
void install_signal_handlers();

// For work that was asked to stop, and has a result all the same: what comes after it may be interrupted anew.
void forgive_interrupt();

// Where a verb's data goes: a file that appears whole or not at all, or standard output for "-".
class Output {
public:
    explicit Output(const std::string& path);
    // As it is: for formats that quote what is in them.
    void write(std::string_view bytes);
    // Text for people.
    void write_text(std::string_view text);
    void commit();

private:
    std::unique_ptr<AtomicFile> file_;  // none for standard output
};

// A whole file, or standard output, from what `write` passes to its sink.
using Sink = std::function<void(std::string_view)>;
void save(const std::string& path, const std::function<void(const Sink&)>& write);
void save(const std::string& path, std::string_view bytes);

// By any name: through /dev/stdout a file that a shell appends to must not be replaced.
[[nodiscard]] bool is_standard_output(const std::string& path);

// Says at once that a result cannot be saved there, instead of after the work, or that it would replace one of the
// files that are read. "-" always can.
void check_writable(const std::string& path, const std::vector<std::string>& inputs = {});

// With those above it; does nothing if it is there.
void make_folder(const std::string& path);

// Says that a result and another file (its schema, unless `option` says otherwise) would go to the same place, by
// whatever names.
void check_apart(const std::string& output, const std::string& other, std::string_view option = "--schema");

// Unless a policy is recommended, every verb says so first.
void repeat_recommendation(const Policy& policy, Terminal& terminal);

}  // namespace polyrx::cli
