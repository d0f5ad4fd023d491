// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "polyrx/api/constrain_policy.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/option_fields.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "support_options.hpp"
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
    std::string output = "constrained.json";
    bool json = false;
    bool quiet = false;
};

void run(const ConstrainArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error("--json and -o - would both write to standard output");
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
    save(arguments.output, [&](const Sink& sink) { write_model(constrained.policy, sink); }, check_written);
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
    verb.summary = "add rules to a model without retraining";
    verb.description =
        "Writes the same network with rules that every recommendation must keep. Among the treatments that the rules "
        "allow, the model recommends the one with the best predicted outcome. Rules that can leave a row without a "
        "treatment are refused, with an example row. fit --rules also trains with the rules.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "model file of polyrx fit").completes(Complete::file),
        positional(arguments->rules, "RULES", "file of rules, one per line, or as JSON").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "FILE",
               "rows that show how many recommendations change, and set the bounds of derived features")
            .completes(Complete::file),
        when_missing_option(arguments->when_missing).default_is("as the model's rules, else apply"),
        flag(arguments->big_m, "big-m", field_named(fit_fields(), "big-m").help).advanced(),
        output_option(arguments->output, "new model file"),
        threads_option(arguments->threads),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx constrain model.json rules.txt --data train.csv -o constrained.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
