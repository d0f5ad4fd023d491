// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/conflicts.hpp"
#include "polyrx/rules/explain.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/rule_book.hpp"
#include "polyrx/study/treatments.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct RulesArguments {
    std::string action;
    std::string rules;
    std::string about;  // a model or data
    std::string data;
    std::string treatment;
    std::string schema;
    std::optional<WhenMissing> when_missing;
    bool json = false;
    bool quiet = false;
};

// What rules are about: which features there are, which treatments, and perhaps rows.
struct Subject {
    Encoder encoder;
    std::vector<std::string> treatments;
    std::optional<Table> rows;
    RuleBook obeyed = {};  // by the model
};

std::vector<std::string> named_treatments(const Rules& rules) {
    std::vector<std::string> labels;
    for (const Rule& rule : rules.rules)
        for (const std::string& label : rule.treatments)
            if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    return labels;
}

Subject subject_of_model(const PolicyFile& file, const RulesArguments& arguments, const Progress& progress) {
    for (const auto& [option, value] :
         {std::pair{"--treatment", &arguments.treatment}, std::pair{"--schema", &arguments.schema}})
        if (!value->empty()) throw usage_error(fmt::format("{} is for data, and {} is a model", option, file.name));
    const Policy policy = parse_model(file.bytes, file.name);
    Subject subject{policy.encoder, policy.treatments, {}, policy.rules};
    if (!arguments.data.empty()) subject.rows = parse_for(policy, read_data(arguments.data, progress), {}, progress);
    return subject;
}

// Every column but that of the treatment is a feature. If that is not named, the rules' own treatments are all there
// are.
Subject subject_of_data(const PolicyFile& file, const Rules& rules, const RulesArguments& arguments,
                        const Progress& progress) {
    if (!arguments.data.empty()) throw usage_error(fmt::format("--data is for models, and {} is data", file.name));
    CsvOptions reading;
    if (!arguments.schema.empty()) reading.schema = read_schema(arguments.schema, progress);
    const Table table = parse_csv(file.bytes, file.name, reading, progress);
    if (table.rows() == 0) throw data_error(fmt::format("{}: there are no rows", table.where()));
    Subject subject;
    std::vector<std::string> names;
    for (const Column& column : table.columns())
        if (column.name != arguments.treatment) names.push_back(column.name);
    if (arguments.treatment.empty())
        subject.treatments = named_treatments(rules);
    else
        subject.treatments = treatments_in(table, table.at(arguments.treatment), reading.schema.treatments).labels;
    subject.rows = table.select(names);
    subject.encoder = make_encoder(*subject.rows, reading.schema);
    return subject;
}

bool is_json(std::string_view bytes) {
    const auto first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '{';
}

std::vector<std::size_t> rows_touched(const BoundRules& rules, const Matrix& encoded) {
    std::vector<std::size_t> touched(rules.rules().size());
    for (Eigen::Index row = 0; row < encoded.rows(); ++row)
        for (std::size_t i = 0; i < touched.size(); ++i)
            touched[i] += rules.rules()[i].applies.holds(encoded.row(row).data()) ? 1 : 0;
    return touched;
}

struct Report {
    Rules rules;               // those of the model, and then those of the file
    std::size_t of_model = 0;  // how many
    RuleFindings findings;
    std::vector<std::size_t> touched;  // empty without rows
    std::size_t rows = 0;
};

std::string words(const Report& report, WhenMissing when_missing) {
    const std::vector<Rule>& rules = report.rules.rules;
    std::string text;
    if (report.of_model > 0)
        text += fmt::format("The model has {} of its own, which {} to these.\n", counted(report.of_model, "rule"),
                            report.of_model == 1 ? "is added" : "are added");
    for (std::size_t i = report.of_model; i < rules.size(); ++i) {
        text += fmt::format("rule {}: {}\n  {}\n", i + 1 - report.of_model, to_text(rules[i]), explain(rules[i]));
        if (!report.touched.empty())
            text += fmt::format("  applies to {} of {} ({:.1f} %)\n", grouped(report.touched[i]),
                                counted(report.rows, "row"),
                                100.0 * static_cast<double>(report.touched[i]) / static_cast<double>(report.rows));
        if (report.findings.never_applies[i]) text += "  it can never apply on the features' ranges\n";
        if (report.findings.only_if_missing[i])
            text += "  it can never apply on the features' ranges, unless a value is missing\n";
        if (report.findings.implied[i]) text += "  it forbids nothing that the other rules do not\n";
    }
    text += explain(when_missing) + "\n";
    switch (report.findings.conflict.answer) {
        case FoundRow::Answer::found:
            text += "conflict: " + describe(report.findings.conflict, report.rules, report.of_model) + "\n";
            break;
        case FoundRow::Answer::none:
            text += "no conflict: whatever the row, some treatment is allowed\n";
            break;
        case FoundRow::Answer::unknown:
            text += "no conflict was found, and it is not certain that there is none\n";
            break;
    }
    return text;
}

std::string json_of(const Report& report) {
    const std::vector<Rule>& rules = report.rules.rules;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = report.of_model; i < rules.size(); ++i) {
        nlohmann::ordered_json rule = {{"rule", to_text(rules[i])},
                                       {"words", explain(rules[i])},
                                       {"never_applies", static_cast<bool>(report.findings.never_applies[i])},
                                       {"only_if_missing", static_cast<bool>(report.findings.only_if_missing[i])},
                                       {"implied", static_cast<bool>(report.findings.implied[i])}};
        if (!report.touched.empty()) rule["rows"] = report.touched[i];
        list.push_back(std::move(rule));
    }
    const Conflict& conflict = report.findings.conflict;
    nlohmann::ordered_json document = {{"rules", std::move(list)}};
    if (conflict.answer == FoundRow::Answer::found) {
        nlohmann::ordered_json row;
        for (const Column& column : conflict.row.columns())
            row[column.name] = column.is_missing(0) ? nlohmann::ordered_json() : nlohmann::ordered_json(column.text(0));
        std::vector<std::size_t> numbers;
        std::vector<std::size_t> of_model;
        for (const std::size_t rule : conflict.rules) {
            if (rule < report.of_model)
                of_model.push_back(rule + 1);
            else
                numbers.push_back(rule + 1 - report.of_model);
        }
        document["conflict"] = {{"rules", numbers}, {"rules_of_model", of_model}, {"row", row}};
    } else {
        document["conflict"] = nullptr;
        document["certain"] = conflict.answer == FoundRow::Answer::none;
    }
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void run(const RulesArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.action != "check")
        throw usage_error(
            fmt::format("'{}' is nothing to do with rules; expected polyrx rules check RULES FILE", arguments.action));
    const Progress progress = terminal.progress();
    const Rules rules = read_rules(arguments.rules);
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", arguments.rules));
    const PolicyFile file = read_policy_file(arguments.about, progress);
    Subject subject = is_json(file.bytes) ? subject_of_model(file, arguments, progress)
                                          : subject_of_data(file, rules, arguments, progress);
    Report report;
    report.rules = joined(subject.obeyed.rules, rules);
    report.of_model = subject.obeyed.rules.rules.size();
    for (const DerivedFeature& derived : needed_features(report.rules, subject.encoder, arguments.rules))
        subject.encoder = with_derived(subject.encoder, derived, subject.rows ? &*subject.rows : nullptr);
    const WhenMissing when_missing = when_missing_for(subject.obeyed, arguments.when_missing);
    const BoundRules bound =
        bind_rules(report.rules, subject.encoder, subject.treatments, when_missing, arguments.rules);
    report.findings = check_rules(bound, subject.encoder, domain_of(subject.encoder), progress);
    if (subject.rows) {
        report.touched = rows_touched(bound, subject.encoder.encode(*subject.rows));
        report.rows = subject.rows->rows();
    }
    Output output("-");
    output.write(arguments.json ? json_of(report) : words(report, when_missing));
    output.commit();
    if (report.findings.conflict.answer == FoundRow::Answer::found)
        throw Error(ErrorKind::proof, fmt::format("{}: {}", arguments.rules,
                                                  describe(report.findings.conflict, report.rules, report.of_model)));
}

}  // namespace

Verb rules_verb() {
    const auto arguments = std::make_shared<RulesArguments>();
    Verb verb;
    verb.name = "rules";
    verb.summary = "check rules: explain them, count the rows they apply to, find conflicts";
    verb.description =
        "Explains each rule of a file in words. Looks for conflicts, which are rows that the rules leave without a "
        "treatment (exit status 4, with such a row), for rules that can never apply, and for rules that are implied by "
        "the others. The features and treatments come from a model or from data.";
    verb.positionals = {
        positional(arguments->action, "ACTION", "check"),
        positional(arguments->rules, "RULES", "file of rules, one per line, or as JSON").completes(Complete::file),
        positional(arguments->about, "MODEL", "model file, or data (CSV)").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "FILE", "with a model: rows to count").completes(Complete::file),
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
