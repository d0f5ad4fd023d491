// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/prescribe_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/why_outside.hpp"

namespace polyrx {
namespace {

constexpr const char* prescription_column = "prescription";
constexpr const char* reason_column = "reason";
constexpr const char* leaf_column = "leaf";
constexpr const char* answered_by_column = "answered_by";

// "outcome_Low", or the prefix of what the method predicts instead.
std::string outcome_column(const Policy& policy, const std::string& treatment) {
    switch (kind_of(policy)) {
        case ScoreKind::effects:
            return "effect_" + treatment;
        case ScoreKind::votes:
            return "votes_" + treatment;
        case ScoreKind::outcomes:
            break;
    }
    return "outcome_" + treatment;
}

// A result with duplicate column names could not be read again.
void check_kept(const Policy& policy, const PrescribeRowsOptions& options) {
    std::set<std::string> written = {prescription_column};
    if (options.prescribe.outcomes)
        for (const std::string& treatment : policy.treatments) written.insert(outcome_column(policy, treatment));
    if (options.prescribe.reasons) written.insert({reason_column, leaf_column, answered_by_column});
    std::set<std::string> kept;
    for (const std::string& name : options.keep) {
        if (written.contains(name))
            throw usage_error(
                fmt::format("--keep: the column '{}' would stand beside the one that prescribe writes", name));
        if (!kept.insert(name).second) throw usage_error(fmt::format("--keep names the column '{}' twice", name));
    }
}

// The kept columns, `prescription` and, with --outcomes, a predicted outcome per treatment.
std::vector<Column> result_columns(const Policy& policy, const Table& kept, const Prescriptions& prescriptions) {
    std::vector<Column> columns = kept.columns();
    CategoricalColumn prescribed{policy.treatments, {prescriptions.treatment.begin(), prescriptions.treatment.end()}};
    // A label instead of an empty cell, which could be mistaken for a row that was skipped.
    prescribed.categories.emplace_back(none_label);
    for (std::int32_t& code : prescribed.codes)
        if (code == no_treatment) code = static_cast<std::int32_t>(policy.treatments.size());
    columns.push_back({prescription_column, std::move(prescribed)});
    for (Eigen::Index k = 0; k < prescriptions.outcomes.cols(); ++k) {
        std::vector<double> values(static_cast<std::size_t>(prescriptions.outcomes.rows()));
        for (std::size_t row = 0; row < values.size(); ++row)
            values[row] = prescriptions.outcomes(static_cast<Eigen::Index>(row), k);
        columns.push_back(
            {outcome_column(policy, policy.treatments[static_cast<std::size_t>(k)]), NumericColumn{std::move(values)}});
    }
    return columns;
}

// Adds what decided each prescription.
void add_reasons(const Prescriptions& prescriptions, std::vector<Column>& columns) {
    CategoricalColumn reason;
    for (const Reason each : {Reason::outcome, Reason::rule, Reason::support})
        reason.categories.emplace_back(name_of(each));
    for (const Reason each : prescriptions.reasons) reason.codes.push_back(static_cast<std::int32_t>(each));
    columns.push_back({reason_column, std::move(reason)});
}

// Adds the leaf of each row, and whether the tree or the network answered.
void add_leaves(const TreePrescriptions& given, std::vector<Column>& columns) {
    NumericColumn leaf;
    CategoricalColumn who;
    for (const AnsweredBy each : {AnsweredBy::tree, AnsweredBy::guard, AnsweredBy::empirical, AnsweredBy::outside})
        who.categories.emplace_back(name_of(each));
    for (std::size_t row = 0; row < given.node.size(); ++row) {
        leaf.values.push_back(given.node[row] == TreePrescriptions::nowhere ? NumericColumn::missing : given.node[row]);
        who.codes.push_back(static_cast<std::int32_t>(given.answered_by[row]));
    }
    columns.push_back({leaf_column, std::move(leaf)});
    columns.push_back({answered_by_column, std::move(who)});
}

// Notes how many rows the network answered, and warns of the first row outside the tree's domain.
void add_who_answered(const TreePolicy& tree, const Table& data, const TreePrescriptions& given,
                      PrescribedRows& result) {
    const std::size_t outside = given.count(AnsweredBy::outside);
    if (outside > 0) {
        const auto first = std::ranges::find(given.answered_by, AnsweredBy::outside) - given.answered_by.begin();
        const auto row = static_cast<std::size_t>(first);
        result.warnings.push_back(fmt::format(
            "{}: {}; the network answered for {}", data.where(row),
            why_outside(tree.policy.encoder, tree.tree.domain, data, row, "the tree's"), this_and_others(outside)));
    }
    const std::size_t asked = data.rows() - given.count(AnsweredBy::tree);
    const double share = data.rows() == 0 ? 0 : 100.0 * static_cast<double>(asked) / static_cast<double>(data.rows());
    result.notes.push_back(fmt::format(
        "tree: {}, {} asked the network ({:.2f} %): {} in guard bands, {} in empirical leaves, {} outside of the "
        "domain",
        counted(data.rows(), "row"), grouped(asked), share, grouped(given.count(AnsweredBy::guard)),
        grouped(given.count(AnsweredBy::empirical)), grouped(outside)));
}

std::string failure_of(const Table& data, const Prescriptions& prescriptions) {
    const auto none = std::ranges::count(prescriptions.treatment, no_treatment);
    if (none == 0) return "";
    const auto first = std::ranges::find(prescriptions.treatment, no_treatment) - prescriptions.treatment.begin();
    return fmt::format("{}: {}", data.where(static_cast<std::size_t>(first)),
                       none_words(static_cast<std::size_t>(none)));
}

}  // namespace

const Policy& policy_of(const ModelOrTree& loaded) {
    const auto* tree = std::get_if<TreePolicy>(&loaded);
    return tree ? tree->policy : std::get<Policy>(loaded);
}

PrescribedRows prescribe_rows(const ModelOrTree& loaded, DataText file, const PrescribeRowsOptions& options,
                              const Progress& progress) {
    const auto* tree = std::get_if<TreePolicy>(&loaded);
    const Policy& policy = policy_of(loaded);
    check_kept(policy, options);
    const Table data = parse_for(policy, file, {}, progress);
    const Table kept = options.keep.empty() ? Table() : parse_as_text(file, options.keep, progress);
    file = {};  // frees memory for the steps below

    TreePrescriptions given;  // a model sets only `prescriptions`
    if (tree)
        given = prescribe(*tree, data, options.prescribe, progress);
    else
        given.prescriptions = prescribe(policy, data, options.prescribe, progress);
    const Prescriptions& prescriptions = given.prescriptions;
    std::vector<Column> columns = result_columns(policy, kept, prescriptions);
    if (options.prescribe.reasons) add_reasons(prescriptions, columns);
    if (options.prescribe.reasons && tree) add_leaves(given, columns);

    PrescribedRows result{.table = Table(std::move(columns)),
                          .counts = std::vector<std::size_t>(policy.treatments.size())};
    for (const int treatment : prescriptions.treatment)
        if (treatment != no_treatment) ++result.counts[static_cast<std::size_t>(treatment)];
    if (tree) add_who_answered(*tree, data, given, result);
    const std::size_t only_unsupported =
        options.count_unsupported ? count_only_unsupported(policy, data, options.prescribe, progress) : 0;
    if (only_unsupported > 0)
        result.notes.push_back(only_unsupported_words(only_unsupported, data.rows(), *policy.rules.support));
    result.failure = failure_of(data, prescriptions);
    return result;
}

}  // namespace polyrx
