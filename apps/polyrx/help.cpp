// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace polyrx::cli {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t many_choices = 8;

// Wraps text to lines that begin at column `indent`. The first line is already indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string out;
    std::size_t column = indent;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        if (column > indent && column + 1 + word.size() > line_width) {
            out += fmt::format("\n{:{}}", "", indent);
            column = indent;
        } else if (column > indent) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    }
    return out;
}

// The widest name, unless it is much wider than the others.
std::size_t width_of(const std::vector<Option>& options) {
    std::size_t widest = 0;
    for (const Option& option : options) widest = std::max(widest, shown(option).size());
    return std::min<std::size_t>(widest, 32);
}

std::string table_of_options(const std::vector<Option>& options, std::size_t width, HelpExtent extent) {
    std::string out;
    for (const Option& option : options)
        out += fmt::format("  {:<{}}  {}\n", shown(option), width, wrapped(described(option, extent), width + 4));
    return out;
}

// Whether the text contains all choices as words.
bool names_all(std::string_view text, const std::vector<std::string>& choices) {
    const auto is_in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+';
    };
    return std::ranges::all_of(choices, [&](const std::string& choice) {
        for (std::size_t at = text.find(choice); at != std::string_view::npos; at = text.find(choice, at + 1)) {
            const std::size_t end = at + choice.size();
            if ((at == 0 || !is_in_word(text[at - 1])) && (end == text.size() || !is_in_word(text[end]))) return true;
        }
        return false;
    });
}

}  // namespace

std::string shown(const Option& option) {
    if (option.is_positional) return option.name;
    const std::string letter = option.letter == 0 ? std::string("    ") : fmt::format("-{}, ", option.letter);
    return fmt::format("{}--{}{}{}", letter, option.name, option.value.empty() ? "" : " ", option.value);
}

std::string described(const Option& option, HelpExtent extent) {
    std::string text = option.help;
    const bool are_left_out = extent == HelpExtent::common && option.choices.size() > many_choices;
    if (!option.is_positional && !are_left_out && !names_all(option.help, option.choices))
        text += fmt::format(": {}", fmt::join(option.choices, ", "));
    if (!option.default_text.empty()) text += fmt::format(" [{}]", option.default_text);
    return text;
}

std::string usage_line(const Verb& verb) {
    std::string line = "polyrx " + verb.name;
    for (const Option& option : verb.positionals)
        line += option.required ? " " + option.name : fmt::format(" [{}]", option.name);
    for (const Option& option : verb.options)
        if (option.required) line += fmt::format(" --{} {}", option.name, option.value);
    return line + " [options]";
}

std::string program_help(const std::vector<Verb>& verbs) {
    std::string out =
        "polyrx learns from observational data who should get which treatment.\n\n"
        "usage: polyrx VERB [options]\n\n";
    std::size_t widest = 0;
    for (const Verb& verb : verbs) widest = std::max(widest, verb.name.size());
    for (const Verb& verb : verbs) out += fmt::format("  {:<{}}  {}\n", verb.name, widest, verb.summary);
    out +=
        "\nRun polyrx VERB --help for the options of a verb and an example. Data files are CSV or TSV, plain or gzip;\n"
        "\"-\" means stdin or stdout. Results go to stdout; messages go to stderr.\n"
        "Exit status: 0 success, 1 failure, 2 usage error, 3 bad data, 4 not proved, 130 Ctrl-C.\n\n"
        "Start with: polyrx demo\n";
    return out;
}

std::vector<OptionGroup> groups_of(const Verb& verb) {
    std::vector<OptionGroup> groups;
    for (const Option& option : verb.options) {
        const std::string name = option.group.empty() ? "options" : option.group;
        auto group = std::ranges::find(groups, name, &OptionGroup::name);
        if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
        group->options.push_back(option);
    }
    return groups;
}

std::string verb_help(const Verb& verb, HelpExtent extent) {
    const auto is_left_out = [&](const Option& option) { return extent == HelpExtent::common && option.is_advanced; };
    std::vector<Option> listed;
    std::ranges::remove_copy_if(verb.options, std::back_inserter(listed), is_left_out);
    const std::size_t left_out = verb.options.size() - listed.size();
    const std::size_t width = std::max(width_of(verb.positionals), width_of(listed));
    std::string out = fmt::format("polyrx {}: {}\n\nusage: {}\n\n{}\n", verb.name, verb.summary, usage_line(verb),
                                  wrapped(verb.description, 0));
    if (!verb.positionals.empty()) out += "\n" + table_of_options(verb.positionals, width, extent);
    for (OptionGroup& group : groups_of(verb)) {
        std::erase_if(group.options, is_left_out);
        if (!group.options.empty())
            out += fmt::format("\n{}:\n{}", group.name, table_of_options(group.options, width, extent));
    }
    if (left_out > 0)
        out += fmt::format("\npolyrx {} --help all shows {} more option{}.\n", verb.name, left_out,
                           left_out == 1 ? "" : "s");
    if (!verb.example.empty()) out += "\nexample:\n";
    for (const std::string& line : verb.example) out += fmt::format("  {}\n", line);
    return out;
}

}  // namespace polyrx::cli
