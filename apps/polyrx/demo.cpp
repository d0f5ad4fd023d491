// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/demo.hpp"

#include <filesystem>

#include "option_table.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct DemoArguments {
    std::string folder = "polyrx-demo";
    std::uint64_t seed = 1;
    int threads = 0;
    bool quiet = false;
};

void run(const DemoArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    const std::filesystem::path folder(arguments.folder);
    const OutputFolder made(arguments.folder);
    Output out("-");
    demo({.folder = folder.string(), .seed = arguments.seed, .threads = arguments.threads},
         {.text = [&](std::string_view text) { out.write_text(text); },
          .file = [&](const std::string& name,
                      const std::function<void(const Sink&)>& write) { save((folder / name).string(), write); },
          .progress = terminal.progress()});
}

}  // namespace

Verb demo_verb() {
    const auto arguments = std::make_shared<DemoArguments>();
    Verb verb;
    verb.name = "demo";
    verb.summary = "from a cohort of patients to a policy, in seconds; no arguments needed";
    verb.description =
        "Simulates a cohort of patients, learns from it which dose to give, prescribes for new patients and compares "
        "with the truth; then does the same with a network that is small enough to be a tree, and proves that it is. "
        "Leaves the data, the schema, the models and the tree in a folder to go on with.";
    verb.options = {
        option(arguments->folder, "output", "FOLDER", "where the files go")
            .letter_is('o')
            .completes(Complete::directory),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes"),
        threads_option(arguments->threads),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx demo -o polyrx-demo"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
