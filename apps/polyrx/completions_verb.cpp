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
    verb.summary = "print shell completions or the man page";
    verb.description =
        "Prints the completion script of a shell, or the man page in roff. An installed polyrx comes with both.";
    verb.positionals = {
        positional(arguments->kind, "KIND", "bash, zsh, fish or man").one_of({"bash", "zsh", "fish", "man"})};
    verb.options = {output_option(arguments->output, "script")};
    verb.example = {"polyrx completions bash -o polyrx.bash"};
    verb.run = [arguments](Terminal&) { run(*arguments); };
    return verb;
}

}  // namespace polyrx::cli
