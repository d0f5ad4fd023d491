// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "help.hpp"
#include "polyrx/version.hpp"

namespace polyrx::cli {
namespace {

// In roff, a backslash starts an escape, a dash may be hyphenated, and a leading dot or quote is a request.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\'')
            out += "\\(aq";
        else if (c == '.' && (out.empty() || out.back() == '\n'))
            out += "\\&.";
        else
            out += c;
    }
    return out;
}

std::string item(const Option& option) {
    std::string name = shown(option);
    name.erase(0, name.find_first_not_of(' '));
    return fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(described(option)));
}

}  // namespace

std::string man_page(const std::vector<Verb>& verbs) {
    std::string out = fmt::format(
        ".TH POLYRX 1 \"\" \"polyrx {}\" \"User Commands\"\n"
        ".SH NAME\npolyrx \\- learn from observational data who should get which treatment\n"
        ".SH SYNOPSIS\n.B polyrx\n.I VERB\n[options]\n"
        ".SH DESCRIPTION\n"
        "A data file is CSV or TSV, plain or gzip. \\(dq\\-\\(dq means stdin or stdout. "
        "Results go to stdout; messages go to stderr.\n",
        escaped(POLYRX_VERSION));
    for (const Verb& verb : verbs) {
        out += fmt::format(".SH \"POLYRX {}\"\n{}\n.PP\n.B {}\n", verb.name, escaped(verb.description),
                           escaped(usage_line(verb)));
        for (const Option& option : verb.positionals) out += item(option);
        for (const OptionGroup& group : groups_of(verb)) {
            out += fmt::format(".PP\n.I {}:\n", escaped(group.name));
            for (const Option& option : group.options) out += item(option);
        }
        if (!verb.example.empty()) out += ".PP\nExample:\n.PP\n.nf\n.RS\n";
        for (const std::string& line : verb.example) out += escaped(line) + "\n";
        if (!verb.example.empty()) out += ".RE\n.fi\n";
    }
    out +=
        ".SH \"EXIT STATUS\"\n"
        ".TP\n.B 0\nsuccess\n.TP\n.B 1\nfailure, such as a full disk or training that diverged\n"
        ".TP\n.B 2\nusage error\n.TP\n.B 3\nbad data or a bad model file\n.TP\n.B 4\nnot proved, or refuted\n"
        ".TP\n.B 130\nstopped by Ctrl\\-C\n";
    return out;
}

}  // namespace polyrx::cli
