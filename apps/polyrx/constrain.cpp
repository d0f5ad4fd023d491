// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/constrain.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/fit/option_fields.hpp"
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

// Rows of the data, and those whose prescription the rules changed.
struct PrescriptionChange {
    std::size_t rows = 0;
    std::size_t changed = 0;
    std::size_t none = 0;
    std::size_t only_unsupported = 0;  // whose rules allow no treatment that the data support
};

PrescriptionChange compare(const Policy& before, const Policy& after, const Table& data, int threads,
                           const Progress& progress) {
    const std::vector<int> was = prescribe(before, data, {.threads = threads}, progress).treatment;
    const std::vector<int> is = prescribe(after, data, {.threads = threads}, progress).treatment;
    PrescriptionChange change{data.rows()};
    for (std::size_t i = 0; i < was.size(); ++i) {
        change.changed += was[i] != is[i] ? 1 : 0;
        change.none += is[i] == no_treatment ? 1 : 0;
    }
    change.only_unsupported = count_only_unsupported(after, data, {.threads = threads}, progress);
    return change;
}

void run(const ConstrainArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error("--json and -o - would both write to standard output");
    check_writable(arguments.output, {arguments.model, arguments.rules, arguments.data});
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    const Rules rules = read_rules(arguments.rules);
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", arguments.rules));
    std::optional<Table> data;
    if (!arguments.data.empty()) data = parse_for(policy, read_data(arguments.data, progress), {}, progress);
    const auto [constrained, conflict_free] =
        constrain(policy, rules, arguments.rules,
                  {.when_missing = arguments.when_missing, .big_m = arguments.big_m, .rows = data ? &*data : nullptr});
    repeat_recommendation(constrained, terminal);
    std::optional<PrescriptionChange> change;
    if (data) change = compare(policy, constrained, *data, arguments.threads, progress);
    Output output(arguments.output);
    write_model(constrained, [&](std::string_view part) { output.write(part); });
    output.commit();

    if (change)
        terminal.say(fmt::format(
            "{} of {} changed by the rules ({:.1f} %)", grouped(change->changed), counted(change->rows, "prescription"),
            change->rows == 0 ? 0 : 100.0 * static_cast<double>(change->changed) / static_cast<double>(change->rows)));
    if (change && change->only_unsupported > 0)
        terminal.say(only_unsupported_words(change->only_unsupported, change->rows, *constrained.rules.support));
    if (!conflict_free) terminal.warn(not_certain_words(arguments.rules));
    if (constrained.rules.big_m) terminal.say(big_m_words(constrained));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (arguments.json) {
        nlohmann::ordered_json summary = {{"model", arguments.output}, {"rules", constrained.rules.rules.rules.size()}};
        if (change) {
            summary["rows"] = change->rows;
            summary["changed"] = change->changed;
            summary["none"] = change->none;
            if (constrained.rules.support) summary["only_unsupported_allowed"] = change->only_unsupported;
        }
        if (constrained.rules.big_m) summary["big_m"] = *constrained.rules.big_m;
        Output("-").write(summary.dump(2) + "\n");
    }
    if (change && change->none > 0) throw data_error(none_words(change->none));
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
               "rows to count changed recommendations on, and to learn bounds of derived features from")
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
