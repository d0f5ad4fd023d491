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
    verb.summary = "learn a policy from simulated patients, in seconds; needs no arguments";
    verb.description =
        "Simulates a cohort of patients, learns which dose to give, recommends doses for new patients and compares "
        "them with the known truth. It then distills the network to a smaller one with a readable tree, and proves "
        "that this tree makes the same recommendations as the smaller network. The data, the schema, the models and "
        "the tree stay in a folder for you to try the other verbs on.";
    verb.options = {
        option(arguments->folder, "output", "FOLDER", "folder for the files")
            .letter_is('o')
            .completes(Complete::directory),
        seed_option(arguments->seed),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx demo -o polyrx-demo"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
