// SPDX-License-Identifier: Apache-2.0
// Command line arguments to a verb whose options are set.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace polyrx::cli {

struct Parsed {
    const Verb* verb = nullptr;  // none: only `text` is wanted
    std::string text;            // help or version, for standard output
};

// Assigns the options that were given; throws a usage error for a call that does not fit the table.
[[nodiscard]] Parsed parse(const std::vector<Verb>& verbs, int argc, const char* const* argv);

}  // namespace polyrx::cli
