// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "help.hpp"

namespace polyrx::cli {
namespace {

std::vector<std::string> verb_names(const std::vector<Verb>& verbs) {
    std::vector<std::string> names;
    names.reserve(verbs.size());
    for (const Verb& verb : verbs) names.push_back(verb.name);
    return names;
}

std::vector<std::string> flag_names(const Verb& verb) {
    std::vector<std::string> names;
    names.reserve(verb.options.size() + 1);
    for (const Option& option : verb.options) names.push_back("--" + option.name);
    names.emplace_back("--help");
    return names;
}

// Escapes text for single quotes in a shell.
std::string shell_quoted(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out;
}

// Also escapes brackets and colons, which have a meaning in zsh's _arguments.
std::string zsh_quoted(std::string_view text) {
    std::string out;
    for (const char c : shell_quoted(text)) {
        if (c == '[' || c == ']' || c == ':') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_values(const Option& option) {
    if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
    switch (option.complete) {
        case Complete::file:
            return "_files";
        case Complete::directory:
            return "_files -/";
        case Complete::nothing:
            break;
    }
    return " ";
}

}  // namespace

std::string bash_completion(const std::vector<Verb>& verbs) {
    std::string out = fmt::format(
        "# bash completion for polyrx\n"
        "_polyrx() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}}\n"
        "    COMPREPLY=()\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    case $verb:$before in\n",
        fmt::join(verb_names(verbs), " "));
    for (const Verb& verb : verbs)
        for (const Option& option : verb.options) {
            if (option.value.empty()) continue;
            std::string pattern = fmt::format("{}:--{}", verb.name, option.name);
            if (option.letter != 0) pattern += fmt::format("|{}:-{}", verb.name, option.letter);
            std::string reply = "return";
            if (!option.choices.empty())
                reply =
                    fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\")); return", fmt::join(option.choices, " "));
            else if (option.complete == Complete::file)
                reply = "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return";
            else if (option.complete == Complete::directory)
                reply = "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return";
            out += fmt::format("        {}) {} ;;\n", pattern, reply);
        }
    out +=
        "        *:--help|*:-h) COMPREPLY=($(compgen -W all -- \"$word\")); return ;;\n"
        "    esac\n    local flags= choices=\n    case $verb in\n";
    for (const Verb& verb : verbs) {
        std::string choices;
        for (const Option& option : verb.positionals)
            if (!option.choices.empty()) choices = fmt::format(" choices='{}'", fmt::join(option.choices, " "));
        out += fmt::format("        {}) flags='{}'{} ;;\n", verb.name, fmt::join(flag_names(verb), " "), choices);
    }
    out +=
        "    esac\n"
        "    if [[ $word == -* ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
        "    elif [[ -n $choices ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
        "    else\n"
        "        compopt -o filenames\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
        "    fi\n"
        "}\n"
        "complete -F _polyrx polyrx\n";
    return out;
}

std::string zsh_completion(const std::vector<Verb>& verbs) {
    std::string out =
        "#compdef polyrx\n"
        "_polyrx() {\n"
        "    local -a verbs\n"
        "    verbs=(\n";
    for (const Verb& verb : verbs) out += fmt::format("        '{}:{}'\n", verb.name, zsh_quoted(verb.summary));
    out +=
        "    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe verb verbs\n"
        "        return\n"
        "    fi\n"
        "    local verb=$words[2]\n"
        "    shift words\n"
        "    (( CURRENT-- ))\n"
        "    case $verb in\n";
    for (const Verb& verb : verbs) {
        out += fmt::format("        {}) _arguments", verb.name);
        for (const Option& option : verb.options) {
            const std::string value = option.value.empty()
                                          ? std::string()
                                          : fmt::format(":{}:{}", zsh_quoted(option.value), zsh_values(option));
            const std::string names = option.letter == 0
                                          ? fmt::format("'--{}", option.name)
                                          : fmt::format("'(-{0} --{1})'{{-{0},--{1}}}'", option.letter, option.name);
            out += fmt::format(" \\\n            {}[{}]{}'", names, zsh_quoted(option.help), value);
        }
        for (const Option& option : verb.positionals)
            out += fmt::format(" \\\n            ':{}:{}'", zsh_quoted(option.name), zsh_values(option));
        out += " ;;\n";
    }
    out += "    esac\n}\n_polyrx \"$@\"\n";
    return out;
}

std::string fish_completion(const std::vector<Verb>& verbs) {
    std::string out = "# fish completion for polyrx\n";
    for (const Verb& verb : verbs)
        out += fmt::format("complete -c polyrx -n __fish_use_subcommand -f -a {} -d '{}'\n", verb.name,
                           shell_quoted(verb.summary));
    for (const Verb& verb : verbs) {
        const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", verb.name);
        for (const Option& option : verb.positionals)
            if (!option.choices.empty())
                out += fmt::format("complete -c polyrx {} -f -a '{}'\n", when, fmt::join(option.choices, " "));
        for (const Option& option : verb.options) {
            std::string line = fmt::format("complete -c polyrx {} -l {}", when, option.name);
            if (option.letter != 0) line += fmt::format(" -s {}", option.letter);
            if (!option.value.empty()) line += option.complete == Complete::nothing ? " -x" : " -r";
            if (!option.choices.empty()) line += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
            out += fmt::format("{} -d '{}'\n", line, shell_quoted(option.help));
        }
    }
    return out;
}

}  // namespace polyrx::cli
