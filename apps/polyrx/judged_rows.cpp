// SPDX-License-Identifier: Apache-2.0
#include "judged_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "polyrx/api/baseline_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/study/known_design.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/tree/flat_tree.hpp"
#include "polyrx/api/summary.hpp"

namespace polyrx::cli {
namespace {

// Observations whose features are these and, behind them, the columns that are asked for besides: so that rows which
// are left out (of weight 0) are left out of all.
struct SeenColumns {
    Observations observations;
    std::vector<std::string> features;
};

void add_missing(std::vector<std::string>& names, const std::vector<ColumnSchema>& also) {
    for (const ColumnSchema& column : also)
        if (std::ranges::find(names, column.name) == names.end()) names.push_back(column.name);
}

// Whether the file has a column, which its first line tells.
bool has_column(const DataText& text, const std::string& name) {
    if (name.empty()) return false;
    CsvOptions nothing;
    nothing.columns.emplace();
    const std::string_view first_line = std::string_view(text.bytes).substr(0, text.bytes.find('\n'));
    const Table table = parse_csv(first_line, text.name, nothing);
    return std::ranges::find(table.source().header, name) != table.source().header.end();
}

SeenColumns seen_by(const Policy& model, const DataText& text, Roles roles, const std::vector<ColumnSchema>& also,
                    const Progress& progress) {
    roles.treatment = model.treatment_name;
    roles.outcome = model.outcome_name;
    roles.least_rows = 0;  // the model knows its treatments
    std::vector<ColumnSchema> read = {{.name = roles.treatment}, {.name = roles.outcome, .type = ColumnType::numeric}};
    if (!roles.weight.empty()) read.push_back({.name = roles.weight, .type = ColumnType::numeric});
    if (roles.group.empty() && has_column(text, group_column_of(model))) roles.group = group_column_of(model);
    if (!roles.group.empty()) read.push_back({.name = roles.group});
    if (!roles.propensities.empty())
        for (const std::string& name : design_columns(roles.propensities, model.treatments))
            read.push_back({.name = name, .type = ColumnType::numeric});
    read.insert(read.end(), also.begin(), also.end());
    const Table table = parse_for(model, text, read, progress);
    Schema schema = model.encoder.schema();
    schema.treatments = model.treatments;
    const std::vector<std::string> features = model.encoder.read_columns();
    roles.features = features;
    add_missing(roles.features, also);
    return {observe(table, roles, schema), features};
}

SeenColumns seen_without_model(const ObservedData& data, const DataText& text, const std::vector<ColumnSchema>& also,
                               const Progress& progress) {
    CsvOptions reading;
    reading.schema = schema_for(data, progress);
    for (const ColumnSchema& column : also)
        if (!reading.schema.find(column.name)) reading.schema.columns.push_back(column);
    const Table table = parse_csv(text.bytes, text.name, reading, progress);
    Roles roles = data.roles;
    for (const ColumnSchema& column : also) {
        (void)table.at(column.name);
        if (roles.features.empty()) roles.ignore.push_back(column.name);
    }
    std::vector<std::string> features;
    const Table taken = observe(table, roles, reading.schema).features;
    for (const Column& column : taken.columns()) features.push_back(column.name);
    roles.ignore.clear();
    roles.features = features;
    add_missing(roles.features, also);
    return {observe(table, roles, reading.schema), features};
}

// Everything of the file that may be judged by.
JudgedRows all_rows(const PolicySource& source, const ObservedData& data, const std::vector<ColumnSchema>& also,
                    const Progress& progress) {
    const DataText text = read_data(data.path, progress);
    const Policy* model = source.model();
    SeenColumns seen =
        model ? seen_by(*model, text, data.roles, also, progress) : seen_without_model(data, text, also, progress);
    JudgedRows rows;
    std::vector<std::string> asked;
    add_missing(asked, also);
    rows.columns = seen.observations.features.select(asked);
    rows.observations = std::move(seen.observations);
    rows.observations.features = rows.observations.features.select(seen.features);
    rows.encoder = model ? model->encoder : make_encoder(rows.observations.features);
    rows.larger_is_better = (model ? model->objective : data.objective) == Objective::max;
    return rows;
}

JudgedRows some_of(const JudgedRows& all, std::span<const std::size_t> rows) {
    JudgedRows some = all;
    some.observations = take(all.observations, rows);
    some.columns = all.columns.take(rows);
    return some;
}

std::string why_not_found(const Policy& model, const Observations& observations) {
    if (model.provenance.split.by == SplitBy::group && observations.group.empty())
        return fmt::format("it has no column {}, whose groups were held out whole", in_quotes(group_column_of(model)));
    return fmt::format("it has other rows than the file that the model was fitted on, and {}",
                       model.provenance.split.by == SplitBy::group ? "groups were too few to be hashed one by one"
                                                                   : "rows with equal features");
}

// Whether rows that are not known to be held out were learned from, as far as the model's sketch can tell.
std::string words_about(const Policy& model, const Observations& observations, const std::string& file) {
    const std::string rows = grouped(observations.rows());
    SharedRows shared;
    if (model.provenance.sketch) shared = shared_rows(*model.provenance.sketch, content_hashes(observations));
    if (shared.credible)
        return fmt::format(
            "TRAINING ROWS: the model learned from {} of these {} rows of {}, so what follows flatters it (hold rows "
            "out with fit --test-fraction)",
            shared.share < 0.005 ? "less than 1 %" : fmt::format("about {:.0f} %", 100 * shared.share), rows, file);
    if (shared.comparable > 0 && shared.found == 0)
        return fmt::format("{} rows of {}: no training rows found among the {} rows that could be checked", rows, file,
                           grouped(shared.comparable));
    return fmt::format(
        "{} rows of {}. Some of them may be training rows: the model cannot tell. Use fit --test-fraction to be sure.",
        rows, file);
}

int treatment_of(const std::vector<std::string>& treatments, const std::string& label, const std::string& place) {
    const auto found = std::ranges::find(treatments, label);
    if (found == treatments.end())
        throw data_error(
            fmt::format("{}: {} is none of the treatments ({})", place, in_quotes(label), listed(treatments, 10)));
    return static_cast<int>(found - treatments.begin());
}

}  // namespace

const Policy* PolicySource::model() const {
    if (!file) return nullptr;
    if (const auto* tree = std::get_if<TreePolicy>(&*file)) return &tree->policy;
    return &std::get<Policy>(*file);
}

PolicySource policy_source(const std::string& text, const Progress& progress) {
    constexpr std::string_view always = "always:";
    constexpr std::string_view column = "column:";
    PolicySource source{.text = text, .always = {}, .column = {}};
    if (text.starts_with(always))
        source.always = text.substr(always.size());
    else if (text.starts_with(column))
        source.column = text.substr(column.size());
    else
        source.file = load_model_or_tree(text, progress);
    return source;
}

std::string_view name_of(WhichRows which) {
    switch (which) {
        case WhichRows::held_out:
            return "held-out";
        case WhichRows::all:
            return "all";
        case WhichRows::automatic:
            break;
    }
    return "automatic";
}

JudgedRows read_judged_rows(const PolicySource& policy, const ObservedData& data, const std::vector<ColumnSchema>& also,
                            WhichRows which, const Progress& progress) {
    JudgedRows rows = all_rows(policy, data, also, progress);
    const std::string file = data.path == "-" ? "standard input" : data.path;
    const std::size_t count = rows.observations.rows();
    const Policy* model = policy.model();
    const double fraction = model ? model->provenance.test_fraction : 0;
    if (model && model->provenance.split.by == SplitBy::group && which != WhichRows::all && fraction > 0 &&
        !rows.observations.group_name.empty() && rows.observations.group_name != group_column_of(*model))
        throw usage_error(
            fmt::format("--group: {} holds out whole groups of column {}, so groups must be these; leave --group out",
                        policy.text, in_quotes(group_column_of(*model))));
    if (which == WhichRows::held_out && fraction == 0)
        throw usage_error(fmt::format("--rows held-out: {} was fitted without --test-fraction, so no rows are held out",
                                      policy.text));
    std::optional<RowSplit> split;
    if (fraction > 0)
        split = hold_out_again(rows.observations, fraction, model->provenance.seed, model->provenance.split);
    if (which == WhichRows::held_out && !split)
        throw data_error(fmt::format(
            "{}: {}, so the held-out rows cannot be found again; take the training file, or that of fit --test-file",
            file, why_not_found(*model, rows.observations)));
    if (split && which == WhichRows::all && !split->kept.empty()) {
        rows.words = fmt::format(
            "TRAINING ROWS: the model learned from {} of these {} rows of {}, so what follows flatters it (leave out "
            "--rows all)",
            grouped(split->kept.size()), grouped(count), file);
    } else if (split && which != WhichRows::all) {
        if (split->held_out.empty()) throw data_error(fmt::format("{} has none of the held-out rows", file));
        rows = some_of(rows, split->held_out);
        rows.held_out = true;
        rows.words = fmt::format("{} held-out rows of {} in {}: the model learned nothing from them",
                                 grouped(split->held_out.size()), grouped(count), file);
        if (model->provenance.split.by == SplitBy::content)
            rows.words +=
                " (held out by features, treatment and outcome, as an earlier polyrx did: where rows repeat, this "
                "biases "
                "what follows; fit the model again)";
    } else if (model && fingerprint(rows.observations) == model->provenance.data_sha256) {
        rows.words = fmt::format(
            "TRAINING ROWS: the model learned from these {} rows of {}, so what follows flatters it (hold rows out "
            "with fit --test-fraction)",
            grouped(count), file);
    } else {
        rows.words = fmt::format("{} rows of {}", grouped(count), file);
        if (model) rows.words = words_about(*model, rows.observations, file);
        if (fraction > 0 && which != WhichRows::all)
            rows.words += fmt::format("{} Held-out rows cannot be found again: {}",
                                      rows.words.ends_with('.') ? "" : ".", why_not_found(*model, rows.observations));
    }
    return rows;
}

Prescriptions prescribe_for(const PolicySource& policy, const JudgedRows& rows, const PrescribeOptions& options,
                            const Progress& progress) {
    const Observations& observations = rows.observations;
    Prescriptions result;
    if (const Policy* model = policy.model()) {
        if (model->treatments != observations.treatments)
            throw data_error(fmt::format("{}: the treatments of the model are {}, those judged by are {}", policy.text,
                                         listed(model->treatments, 10), listed(observations.treatments, 10)));
        result = prescribe(*model, observations.features, options, progress);
        if (kind_of(*model) != ScoreKind::outcomes) result.outcomes.resize(0, 0);
        const auto none = std::ranges::count(result.treatment, no_treatment);
        if (none == 0) return result;
        const auto first = std::ranges::find(result.treatment, no_treatment) - result.treatment.begin();
        throw data_error(fmt::format("{}: the rules leave no treatment for {}, which cannot be evaluated",
                                     observations.features.where(static_cast<std::size_t>(first)),
                                     this_and_others(static_cast<std::size_t>(none))));
    }
    if (!policy.column.empty()) {
        const Column& column = rows.columns.at(policy.column);
        for (std::size_t i = 0; i < observations.rows(); ++i)
            result.treatment.push_back(
                treatment_of(observations.treatments, column.text(i),
                             fmt::format("{}: column {}", observations.features.where(i), in_quotes(policy.column))));
        return result;
    }
    result.treatment.assign(observations.rows(), treatment_of(observations.treatments, policy.always, policy.text));
    return result;
}

std::optional<Partition> leaves_of(const PolicySource& policy, const JudgedRows& rows) {
    const Policy* model = policy.model();
    if (!model) return std::nullopt;
    std::optional<Tree> tree;
    if (const auto* of_network = std::get_if<TreePolicy>(&*policy.file)) {
        tree = of_network->tree;
    } else {
        try {
            tree = baseline_tree(*model);
        } catch (const BudgetSpent&) {
            return std::nullopt;  // too many leaves for a table
        }
    }
    if (!tree) return std::nullopt;
    const Matrix encoded = model->encoder.encode(rows.observations.features, Unseen::ignore);
    std::vector<int> ends(rows.observations.rows());
    FlatTree(*tree).arrive(encoded, ends);
    std::map<int, std::size_t> numbers;
    for (const int node : ends) numbers.emplace(node, 0);
    Partition partition;
    for (auto& [node, number] : numbers) {
        number = partition.names.size();
        const Leaf* leaf = node < 0 ? nullptr : std::get_if<Leaf>(&tree->nodes[static_cast<std::size_t>(node)].what);
        partition.names.push_back(
            !leaf ? std::string(node < 0 ? "outside of the tree" : "too close to a split")
                  : fmt::format("node {}: {}", node,
                                leaf->treatment == no_treatment
                                    ? std::string("none")
                                    : model->treatments[static_cast<std::size_t>(leaf->treatment)]));
    }
    for (const int node : ends) partition.part.push_back(numbers.at(node));
    return partition;
}

bool may_have_learned_from(const PolicySource& policy, const PolicySource& held_out_by) {
    const Policy* other = policy.model();
    if (other == nullptr) return false;
    const Policy* model = held_out_by.model();
    return model == nullptr || other->provenance.test_fraction != model->provenance.test_fraction ||
           other->provenance.seed != model->provenance.seed || other->provenance.split != model->provenance.split ||
           other->provenance.test_fraction == 0;
}

Partition values_of(const JudgedRows& rows, const std::string& name, std::size_t most) {
    const Column& column = rows.columns.at(name);
    const auto text = [&](std::size_t row) { return column.is_missing(row) ? "missing" : column.text(row); };
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < rows.observations.rows(); ++i) numbers.emplace(text(i), 0);
    Partition partition;
    for (auto& [value, number] : numbers) {
        number = partition.names.size();
        partition.names.push_back(value);
    }
    for (std::size_t i = 0; i < rows.observations.rows(); ++i) partition.part.push_back(numbers.at(text(i)));
    if (partition.names.size() > most)
        throw data_error(fmt::format("column {} has {} values; expected at most {}", in_quotes(name),
                                     grouped(partition.names.size()), most));
    return partition;
}

}  // namespace polyrx::cli
