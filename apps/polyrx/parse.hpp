// SPDX-License-Identifier: Apache-2.0
// Parses command-line arguments.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace polyrx::cli {

struct Parsed {
    const Verb* verb = nullptr;  // null: only print `text`
    std::string text;            // help or version, for stdout
};

// Sets the given options. Throws a usage error for arguments that do not match the option table.
[[nodiscard]] Parsed parse(const std::vector<Verb>& verbs, int argc, const char* const* argv);

}  // namespace polyrx::cli
