// SPDX-License-Identifier: Apache-2.0
// The polyrx program: finds and runs the verb, and turns errors into a message and an exit status.
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "parse.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/text_error.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace {

using polyrx::ErrorKind;

int exit_status(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::usage:
            return 2;
        case ErrorKind::data:
            return 3;
        case ErrorKind::proof:
            return 4;
        case ErrorKind::canceled:
            return 130;
        case ErrorKind::other:
            break;
    }
    return 1;
}

// Keeps an error on one line, even if a file name or label contains a line end. An excerpt follows below.
std::string sentence(std::string_view what) {
    return "polyrx: " + polyrx::without_controls(what, polyrx::LineEnds::escape);
}

int run(polyrx::cli::Terminal& terminal, int argc, char** argv) {
    try {
        const std::vector<polyrx::cli::Verb> verbs = polyrx::cli::all_verbs();
        const polyrx::cli::Parsed parsed = polyrx::cli::parse(verbs, argc, argv);
        if (parsed.verb)
            parsed.verb->run(terminal);
        else
            polyrx::cli::Output("-").write(parsed.text);
        terminal.end();
        return 0;
    } catch (const polyrx::TextError& error) {
        terminal.fail(sentence(error.sentence()) + "\n" + std::string(error.excerpt()));
        return exit_status(error.kind());
    } catch (const polyrx::Error& error) {
        terminal.fail(sentence(error.what()));
        return exit_status(error.kind());
    } catch (const std::bad_alloc&) {
        terminal.fail("polyrx: not enough memory");
        return 1;
    } catch (const std::exception& error) {
        terminal.fail(sentence(error.what()));
        return 1;
    }
}

}  // namespace

int main(int argc, char** argv) {
    polyrx::cli::hold_standard_streams();
    polyrx::cli::install_signal_handlers();
    polyrx::cli::Terminal terminal;
    try {
        return run(terminal, argc, argv);
    } catch (const polyrx::cli::ClosedPipe&) {
        // Ends by the signal, like a program that does not handle SIGPIPE.
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
        return 1;
    }
}
