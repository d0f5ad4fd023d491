// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct CompletionsArguments {
    std::string kind;
    std::string output = "-";
};

void run(const CompletionsArguments& arguments) {
    const std::vector<Verb> verbs = all_verbs();
    Output output(arguments.output);
    if (arguments.kind == "bash")
        output.write(bash_completion(verbs));
    else if (arguments.kind == "zsh")
        output.write(zsh_completion(verbs));
    else if (arguments.kind == "fish")
        output.write(fish_completion(verbs));
    else
        output.write(man_page(verbs));
    output.commit();
}

}  // namespace

Verb completions_verb() {
    const auto arguments = std::make_shared<CompletionsArguments>();
    Verb verb;
    verb.name = "completions";
    verb.summary = "print the completions of a shell, or the man page";
    verb.description =
        "Prints what makes a shell complete verbs and options, or the man page in roff. An installed polyrx has both "
        "in their places already.";
    verb.positionals = {
        positional(arguments->kind, "KIND", "bash, zsh, fish or man").one_of({"bash", "zsh", "fish", "man"})};
    verb.options = {option(arguments->output, "output", "FILE", "where it goes; - is standard output")
                        .letter_is('o')
                        .completes(Complete::file)};
    verb.example = {"polyrx completions bash -o polyrx.bash"};
    verb.run = [arguments](Terminal&) { run(*arguments); };
    return verb;
}

}  // namespace polyrx::cli
