// SPDX-License-Identifier: Apache-2.0
// Help, man page and shell completions from the option table.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace polyrx::cli {

// Omits or includes advanced options.
enum class HelpExtent { common, all };

[[nodiscard]] std::string program_help(const std::vector<Verb>& verbs);
[[nodiscard]] std::string verb_help(const Verb& verb, HelpExtent extent);
[[nodiscard]] std::string man_page(const std::vector<Verb>& verbs);
[[nodiscard]] std::string bash_completion(const std::vector<Verb>& verbs);
[[nodiscard]] std::string zsh_completion(const std::vector<Verb>& verbs);
[[nodiscard]] std::string fish_completion(const std::vector<Verb>& verbs);

// "-o, --output FILE", "DATA.csv"
[[nodiscard]] std::string shown(const Option& option);
// The help with default and choices, unless it contains them already, or there are many choices and the help is short.
[[nodiscard]] std::string described(const Option& option, HelpExtent extent = HelpExtent::all);
// Options by group, ordered by each group's first option. Options without a group are in "options".
struct OptionGroup {
    std::string name;
    std::vector<Option> options;
};
[[nodiscard]] std::vector<OptionGroup> groups_of(const Verb& verb);
// "polyrx fit DATA.csv --treatment COLUMN --outcome COLUMN [options]"
[[nodiscard]] std::string usage_line(const Verb& verb);

}  // namespace polyrx::cli
