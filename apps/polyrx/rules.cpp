// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/rules_report.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct RulesArguments {
    std::string action;
    std::string rules;
    std::string about;  // a model or data file
    std::string data;
    std::string treatment;
    std::string schema;
    std::optional<WhenMissing> when_missing;
    bool json = false;
    bool quiet = false;
};

RulesReport report_on_model(const PolicyFile& file, const Rules& rules, const RulesArguments& arguments,
                            const Progress& progress) {
    for (const auto& [option, value] :
         {std::pair{"--treatment", &arguments.treatment}, std::pair{"--schema", &arguments.schema}})
        if (!value->empty()) throw usage_error(fmt::format("{} is for data, and {} is a model", option, file.name));
    const Policy policy = parse_model(file.bytes, file.name);
    std::optional<Table> rows;
    if (!arguments.data.empty()) rows = parse_for(policy, read_data(arguments.data, progress), {}, progress);
    return report_on_rules(policy, rows ? &*rows : nullptr, rules, {arguments.when_missing, arguments.rules}, progress);
}

RulesReport report_on_data(const PolicyFile& file, const Rules& rules, const RulesArguments& arguments,
                           const Progress& progress) {
    if (!arguments.data.empty()) throw usage_error(fmt::format("--data is for models, and {} is data", file.name));
    CsvOptions reading;
    if (!arguments.schema.empty()) reading.schema = read_schema(arguments.schema, progress);
    const Table table = parse_csv(file.bytes, file.name, reading, progress);
    return report_on_rules(table, reading.schema, arguments.treatment, rules, {arguments.when_missing, arguments.rules},
                           progress);
}

bool is_json(std::string_view bytes) {
    const auto first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '{';
}

void run(const RulesArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.action != "check")
        throw usage_error(fmt::format("'{}' is not an action of polyrx rules; expected polyrx rules check RULES MODEL",
                                      arguments.action));
    const Progress progress = terminal.progress();
    const Rules rules = read_rules(arguments.rules);
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", arguments.rules));
    const PolicyFile file = read_policy_file(arguments.about, progress);
    const RulesReport report = is_json(file.bytes) ? report_on_model(file, rules, arguments, progress)
                                                   : report_on_data(file, rules, arguments, progress);
    if (arguments.json)
        Output("-").write(json_of(report).dump(2, InvalidUtf8::replace) + "\n");
    else
        Output("-").write_text(text_of(report));
    if (!report.failure.empty()) throw Error(ErrorKind::proof, report.failure);
}

}  // namespace

Verb rules_verb() {
    const auto arguments = std::make_shared<RulesArguments>();
    Verb verb;
    verb.name = "rules";
    verb.summary = "check rules: explain them, count the rows they apply to, find conflicts";
    verb.description =
        "Explains each rule of a file in words. Reports rules that can never apply, rules that others imply, and "
        "conflicts: combinations of features for which the rules leave no treatment (with an example; exit status 4). "
        "The features and treatments come from a model or from data.";
    verb.positionals = {
        positional(arguments->action, "ACTION", "check"),
        positional(arguments->rules, "RULES", "file of rules, one per line, or as JSON").completes(Complete::file),
        positional(arguments->about, "MODEL", "model file, or data (CSV)").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "FILE",
               "with a model: data in which to count the rows that each rule applies to")
            .completes(Complete::file),
        option(arguments->treatment, "treatment", "COLUMN", "with data: column of the treatment received"),
        option(arguments->schema, "schema", "FILE", "with data: schema (JSON; docs/data.md)").completes(Complete::file),
        when_missing_option(arguments->when_missing).default_is("as the model's rules, else apply"),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx rules check rules.txt train.csv --treatment treatment"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
