// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/rules_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/api/row_json.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/name_index.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/rules/explain.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/study/treatments.hpp"

namespace polyrx {
namespace {

// Stands for all unnamed treatments if the treatments are unknown. A row without this one and without any named
// treatment has a conflict, whatever the treatments are.
constexpr const char* unnamed_treatment = "any other treatment";

// What the rules apply to: features, treatments and optional rows.
struct Subject {
    Encoder encoder;
    std::vector<std::string> treatments;
    const Table* rows = nullptr;
    RuleBook obeyed = {};  // the model's rules
};

std::vector<std::string> named_treatments(const Rules& rules) {
    std::vector<std::string> labels;
    NameIndex seen;
    for (const Rule& rule : rules.rules)
        for (const std::string& label : rule.treatments)
            if (seen.add(label)) labels.push_back(label);
    return labels;
}

std::vector<std::size_t> rows_touched(const BoundRules& rules, const Matrix& encoded) {
    std::vector<std::size_t> touched(rules.rules().size());
    for (Eigen::Index row = 0; row < encoded.rows(); ++row)
        for (std::size_t i = 0; i < touched.size(); ++i)
            touched[i] += rules.rules()[i].applies.holds(encoded.row(row).data()) ? 1 : 0;
    return touched;
}

RulesReport report_on(Subject subject, const Rules& rules, const RulesReportOptions& options,
                      const Progress& progress) {
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", options.name));
    RulesReport report;
    report.rules = joined(subject.obeyed.rules, rules);
    report.of_model = subject.obeyed.rules.rules.size();
    report.when_missing = when_missing_for(subject.obeyed, options.when_missing);
    subject.encoder =
        with_derived(subject.encoder, needed_features(report.rules, subject.encoder, options.name), subject.rows);
    const BoundRules bound =
        bind_rules(report.rules, subject.encoder, subject.treatments, report.when_missing, options.name);
    report.findings = check_rules(bound, subject.encoder, domain_of(subject.encoder), progress);
    if (subject.rows) {
        report.touched = rows_touched(bound, subject.encoder.encode(*subject.rows));
        report.rows = subject.rows->rows();
    }
    if (report.findings.conflict.answer == FoundRow::Answer::found)
        report.failure =
            fmt::format("{}: {}", options.name, describe(report.findings.conflict, report.rules, report.of_model));
    return report;
}

std::string conflict_words(const RulesReport& report) {
    const Conflict& conflict = report.findings.conflict;
    if (conflict.answer == FoundRow::Answer::found)
        return "conflict: " + describe(conflict, report.rules, report.of_model);
    if (!report.treatments_known)
        return "whether the rules leave every row a treatment depends on which treatments there are: name their column "
               "with --treatment, or give a model";
    return conflict.answer == FoundRow::Answer::none
               ? "no conflict: whatever the row, some treatment is allowed"
               : "no conflict was found, and it is not certain that there is none";
}

Json conflict_json(const RulesReport& report) {
    const Conflict& conflict = report.findings.conflict;
    std::vector<std::size_t> numbers;
    std::vector<std::size_t> of_model;
    for (const std::size_t rule : conflict.rules) {
        if (rule < report.of_model)
            of_model.push_back(rule + 1);
        else
            numbers.push_back(rule + 1 - report.of_model);
    }
    return {{"rules", numbers}, {"rules_of_model", of_model}, {"row", row_json(conflict.row)}};
}

}  // namespace

RulesReport report_on_rules(const Policy& policy, const Table* rows, const Rules& rules,
                            const RulesReportOptions& options, const Progress& progress) {
    return report_on({policy.encoder, policy.treatments, rows, policy.rules}, rules, options, progress);
}

RulesReport report_on_rules(const Table& table, const Schema& schema, const std::string& treatment, const Rules& rules,
                            const RulesReportOptions& options, const Progress& progress) {
    if (table.rows() == 0) throw data_error(fmt::format("{}: there are no rows", table.where()));
    std::vector<std::string> names;
    for (const Column& column : table.columns())
        if (column.name != treatment) names.push_back(column.name);
    std::vector<std::string> treatments;
    if (treatment.empty()) {
        treatments = named_treatments(rules);
        treatments.emplace_back(unnamed_treatment);
    } else {
        treatments = treatments_in(table, table.at(treatment), schema.treatments).labels;
    }
    const Table features = table.select(names);
    RulesReport report =
        report_on({make_encoder(features, schema), std::move(treatments), &features}, rules, options, progress);
    report.treatments_known = !treatment.empty();
    return report;
}

std::string text_of(const RulesReport& report) {
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
    text += explain(report.when_missing) + "\n";
    return text + conflict_words(report) + "\n";
}

Json json_of(const RulesReport& report) {
    Json list = Json::array();
    for (std::size_t i = report.of_model; i < report.rules.rules.size(); ++i) {
        const Rule& rule = report.rules.rules[i];
        Json json = {{"rule", to_text(rule)},
                     {"words", explain(rule)},
                     {"never_applies", static_cast<bool>(report.findings.never_applies[i])},
                     {"only_if_missing", static_cast<bool>(report.findings.only_if_missing[i])},
                     {"implied", static_cast<bool>(report.findings.implied[i])}};
        if (!report.touched.empty()) json.add("rows", report.touched[i]);
        list.push_back(std::move(json));
    }
    Json document = {{"rules", std::move(list)}};
    if (report.findings.conflict.answer == FoundRow::Answer::found) {
        document.add("conflict", conflict_json(report));
        return document;
    }
    document.add("conflict", nullptr);
    document.add("certain", report.treatments_known && report.findings.conflict.answer == FoundRow::Answer::none);
    if (!report.treatments_known) document.add("treatments_known", false);
    return document;
}

}  // namespace polyrx
