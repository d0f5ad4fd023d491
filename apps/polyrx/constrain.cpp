// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "polyrx/api/constrain_policy.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct ConstrainArguments {
    std::string model;
    std::string rules;
    std::string data;
    std::optional<WhenMissing> when_missing;
    bool big_m = false;
    int threads = 0;
    std::string output = "-";
    bool json = false;
    bool quiet = false;
};

void run(const ConstrainArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error("--json and the model would both write to standard output: say where it goes with -o");
    check_writable(arguments.output, {arguments.model, arguments.rules, arguments.data});
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    const Rules rules = read_rules(arguments.rules);
    std::optional<Table> rows;
    if (!arguments.data.empty()) rows = parse_for(policy, read_data(arguments.data, progress), {}, progress);
    const ConstrainedPolicy constrained = constrain_policy(policy, rules, arguments.rules,
                                                           {.when_missing = arguments.when_missing,
                                                            .big_m = arguments.big_m,
                                                            .rows = rows ? &*rows : nullptr,
                                                            .threads = arguments.threads},
                                                           progress);
    repeat_recommendation(constrained.policy, terminal);
    save(arguments.output, [&](const Sink& sink) { write_model(constrained.policy, sink); });
    terminal.say(constrained.notes);
    terminal.warn(constrained.warnings);
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (arguments.json) save("-", json_of(constrained, arguments.output).dump(2) + "\n");
    if (constrained.change && constrained.change->none > 0) throw data_error(none_words(constrained.change->none));
}

}  // namespace

Verb constrain_verb() {
    const auto arguments = std::make_shared<ConstrainArguments>();
    Verb verb;
    verb.name = "constrain";
    verb.summary = "add rules to a model, without training it again";
    verb.description =
        "Writes the same network with rules that every prescription keeps, for every row: of the treatments that they "
        "allow, the one with the best predicted outcome is prescribed. Rules that can leave a row without a treatment "
        "are "
        "refused, with such a row. fit --rules also trains with them.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "a model file of polyrx fit").completes(Complete::file),
        positional(arguments->rules, "RULES", "a file of rules, one a line, or their JSON").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "FILE",
               "rows to count changed prescriptions on, and to learn the bounds of derived features from")
            .completes(Complete::file),
        choice(arguments->when_missing, {WhenMissing::apply, WhenMissing::skip}, "when-missing", "HOW",
               "a rule that a missing value leaves open applies, or is skipped")
            .default_is("as the model's rules, or apply"),
        flag(arguments->big_m, "big-m",
             "keep rules in the paper's form, by a number added to outcomes that is large enough on the domain"),
        threads_option(arguments->threads),
        option(arguments->output, "output", "FILE", "the new model; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments->json, "json", "a summary for machines on standard output"),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx constrain model.json rules.txt --data train.csv -o constrained.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
