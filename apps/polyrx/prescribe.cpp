// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "polyrx/api/model_or_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/why_outside.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "observed_data.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct PrescribeArguments {
    std::string model;
    std::string data;
    std::vector<std::string> keep;
    bool outcomes = false;
    bool reasons = false;
    Unseen unseen = Unseen::error;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

constexpr const char* prescription_column = "prescription";
constexpr const char* reason_column = "reason";
constexpr const char* leaf_column = "leaf";
constexpr const char* answered_by_column = "answered_by";

// "outcome_Low", or what else the method has for each treatment.
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

// A result with two columns of one name could not be read again.
void check_kept(const Policy& policy, const PrescribeArguments& arguments) {
    std::set<std::string> written = {prescription_column};
    if (arguments.outcomes)
        for (const std::string& treatment : policy.treatments) written.insert(outcome_column(policy, treatment));
    if (arguments.reasons) written.insert({reason_column, leaf_column, answered_by_column});
    std::set<std::string> kept;
    for (const std::string& name : arguments.keep) {
        if (written.contains(name))
            throw usage_error(
                fmt::format("--keep: the column '{}' would stand beside the one that prescribe writes", name));
        if (!kept.insert(name).second) throw usage_error(fmt::format("--keep names the column '{}' twice", name));
    }
}

// The kept columns, then `prescription`, then with --outcomes what each treatment is expected to lead to.
std::vector<Column> result_columns(const Policy& policy, const Table& kept, const Prescriptions& prescriptions) {
    std::vector<Column> columns = kept.columns();
    CategoricalColumn prescribed{policy.treatments, {prescriptions.treatment.begin(), prescriptions.treatment.end()}};
    // A word, and no empty cell: nobody should take it for a row that was not looked at.
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

// What decided each prescription.
void add_reasons(const Prescriptions& prescriptions, std::vector<Column>& columns) {
    CategoricalColumn reason;
    for (const Reason each : {Reason::outcome, Reason::rule, Reason::support})
        reason.categories.emplace_back(name_of(each));
    for (const Reason each : prescriptions.reasons) reason.codes.push_back(static_cast<std::int32_t>(each));
    columns.push_back({reason_column, std::move(reason)});
}

// Where each row ended in the tree, and who answered for it.
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

// How many rows the tree left to the network, and the first of those that it knows nothing about.
void say_who_answered(const TreePolicy& tree, const Table& data, const TreePrescriptions& given, Terminal& terminal) {
    const std::size_t outside = given.count(AnsweredBy::outside);
    if (outside > 0) {
        const auto first = std::ranges::find(given.answered_by, AnsweredBy::outside) - given.answered_by.begin();
        const auto row = static_cast<std::size_t>(first);
        terminal.warn(fmt::format("{}: {}; the network answered for {}", data.where(row),
                                  why_outside(tree.policy.encoder, tree.tree.domain, data, row, "the tree's"),
                                  this_and_others(outside)));
    }
    const std::size_t asked = data.rows() - given.count(AnsweredBy::tree);
    const double share = data.rows() == 0 ? 0 : 100.0 * static_cast<double>(asked) / static_cast<double>(data.rows());
    terminal.say(fmt::format(
        "tree: {} row{}, {} asked the network ({:.2f} %): {} in guard bands, {} in empirical leaves, {} outside of the "
        "domain",
        grouped(data.rows()), data.rows() == 1 ? "" : "s", grouped(asked), share,
        grouped(given.count(AnsweredBy::guard)), grouped(given.count(AnsweredBy::empirical)), grouped(outside)));
}

// How many rows got which treatment.
void say_counts(const Policy& policy, const Prescriptions& prescriptions, const std::string& output,
                Terminal& terminal) {
    std::string counts;
    for (std::size_t k = 0; k < policy.treatments.size(); ++k) {
        const auto count =
            std::count(prescriptions.treatment.begin(), prescriptions.treatment.end(), static_cast<int>(k));
        counts +=
            fmt::format("{}{} ({})", k > 0 ? ", " : "", policy.treatments[k], grouped(static_cast<std::size_t>(count)));
    }
    terminal.say(fmt::format("{} in {}: {}", counted(prescriptions.treatment.size(), "prescription"), output, counts));
}

void run(const PrescribeArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Progress progress = terminal.progress();
    const ModelOrTree loaded = load_model_or_tree(arguments.model, progress);
    const auto* tree = std::get_if<TreePolicy>(&loaded);
    const Policy& policy = tree ? tree->policy : std::get<Policy>(loaded);
    repeat_recommendation(policy, terminal);
    check_kept(policy, arguments);
    DataText file = read_data(arguments.data, progress);
    const Table data = parse_for(policy, file, {}, progress);
    const Table kept = arguments.keep.empty() ? Table() : parse_as_text(file, arguments.keep, progress);
    file = {};  // what follows may need the memory

    PrescribeOptions options;
    options.unseen = arguments.unseen;
    options.threads = arguments.threads;
    options.outcomes = arguments.outcomes;
    options.reasons = arguments.reasons;
    TreePrescriptions given;  // a model answers without a tree's words for how
    if (tree)
        given = prescribe(*tree, data, options, progress);
    else
        given.prescriptions = prescribe(policy, data, options, progress);
    const Prescriptions& prescriptions = given.prescriptions;

    const std::size_t only_unsupported = arguments.quiet ? 0 : count_only_unsupported(policy, data, options, progress);

    std::vector<Column> columns = result_columns(policy, kept, prescriptions);
    if (arguments.reasons) add_reasons(prescriptions, columns);
    if (arguments.reasons && tree) add_leaves(given, columns);
    Output output(arguments.output);
    write_csv(Table(std::move(columns)), [&](std::string_view text) { output.write(text); });
    output.commit();
    if (tree) say_who_answered(*tree, data, given, terminal);
    const auto none = std::ranges::count(prescriptions.treatment, no_treatment);
    if (arguments.output != "-") say_counts(policy, prescriptions, arguments.output, terminal);
    if (only_unsupported > 0)
        terminal.say(only_unsupported_words(only_unsupported, data.rows(), *policy.rules.support));
    if (none > 0) {
        const auto first = std::ranges::find(prescriptions.treatment, no_treatment) - prescriptions.treatment.begin();
        throw data_error(fmt::format("{}: {}", data.where(static_cast<std::size_t>(first)),
                                     none_words(static_cast<std::size_t>(none))));
    }
}

}  // namespace
Verb prescribe_verb() {
    const auto arguments = std::make_shared<PrescribeArguments>();
    Verb verb;
    verb.name = "prescribe";
    verb.summary = "recommend a treatment for each new row";
    verb.description =
        "Writes a CSV with the column prescription, one row for each row of the data, in the same order. The data need "
        "the model's feature columns, by name. Missing values are allowed, and other columns are ignored. A tree makes "
        "the same recommendations as its model: where a leaf is not certified, the network in the tree file decides.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file or tree file").completes(Complete::file),
                        positional(arguments->data, "DATA.csv", "rows to recommend treatments for; - is stdin")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->keep, "keep", "A,B,...",
               "copy these columns of the data to the front, such as an identifier"),
        flag(arguments->outcomes, "outcomes",
             "add the predicted outcome under each treatment as outcome_LABEL; methods that predict effects or votes "
             "add effect_LABEL or votes_LABEL"),
        flag(arguments->reasons, "reasons",
             "add the column reason: outcome, rule or support; a tree also adds leaf (number of the node; NA outside "
             "of the domain) and answered_by (tree, or why the network decided: guard, empirical, outside)"),
        unseen_option(arguments->unseen),
        output_option(arguments->output, "CSV file"),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx prescribe model.json test.csv -o prescriptions.csv"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
