// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace polyrx::cli {
namespace {

constexpr std::size_t line_width = 100;

// Words of `text` in lines that begin at column `indent`; the first line is taken to be there already.
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

std::string table_of_options(const std::vector<Option>& options) {
    std::size_t widest = 0;
    for (const Option& option : options) widest = std::max(widest, shown(option).size());
    std::string out;
    for (const Option& option : options)
        out += fmt::format("  {:<{}}  {}\n", shown(option), widest, wrapped(described(option), widest + 4));
    return out;
}

}  // namespace

std::string shown(const Option& option) {
    if (option.is_positional) return option.name;
    const std::string letter = option.letter == 0 ? std::string("    ") : fmt::format("-{}, ", option.letter);
    return fmt::format("{}--{}{}{}", letter, option.name, option.value.empty() ? "" : " ", option.value);
}

std::string described(const Option& option) {
    std::string text = option.help;
    if (!option.choices.empty() && !option.is_positional) text += fmt::format(": {}", fmt::join(option.choices, ", "));
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
        "\npolyrx VERB --help explains a verb, with a worked example. A data file is CSV or TSV, plain or gzip;\n"
        "\"-\" means standard input or output.\n"
        "Exit status: 0 done, 1 failed, 2 wrong call, 3 bad data, 4 not proved, 130 Ctrl-C.\n\n"
        "begin with: polyrx demo\n";
    return out;
}

std::string verb_help(const Verb& verb) {
    std::string out = fmt::format("polyrx {}: {}\n\nusage: {}\n\n{}\n", verb.name, verb.summary, usage_line(verb),
                                  wrapped(verb.description, 0));
    if (!verb.positionals.empty()) out += "\n" + table_of_options(verb.positionals);
    if (!verb.options.empty()) out += "\noptions:\n" + table_of_options(verb.options);
    if (!verb.example.empty()) out += "\nexample:\n";
    for (const std::string& line : verb.example) out += fmt::format("  {}\n", line);
    return out;
}

}  // namespace polyrx::cli
