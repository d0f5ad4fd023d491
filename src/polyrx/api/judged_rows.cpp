// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/judged_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/policy/reading_options.hpp"
#include "polyrx/study/known_design.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {
namespace {

// Observations with the additional columns appended to their features, so that rows of weight 0 are dropped from both.
struct SeenColumns {
    Observations observations;
    std::vector<std::string> features;
};

void add_missing(std::vector<std::string>& names, const std::vector<ColumnSchema>& also) {
    for (const ColumnSchema& column : also)
        if (std::ranges::find(names, column.name) == names.end()) names.push_back(column.name);
}

// Whether the header has this column.
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
    roles.least_rows = 0;  // the model already has its treatments
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

SeenColumns seen_without_model(const StudyRoles& study, const DataText& text, const std::vector<ColumnSchema>& also,
                               const Progress& progress) {
    CsvOptions reading;
    reading.schema = study.schema;
    for (const ColumnSchema& column : also)
        if (!reading.schema.find(column.name)) reading.schema.columns.push_back(column);
    const Table table = parse_csv(text.bytes, text.name, reading, progress);
    Roles roles = study.roles;
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

// All rows of the file that can be evaluated.
JudgedRows all_rows(const PolicySource& source, const DataText& text, const StudyRoles& study,
                    const std::vector<ColumnSchema>& also, const Progress& progress) {
    const Policy* model = source.model();
    SeenColumns seen =
        model ? seen_by(*model, text, study.roles, also, progress) : seen_without_model(study, text, also, progress);
    JudgedRows rows;
    std::vector<std::string> asked;
    add_missing(asked, also);
    rows.columns = seen.observations.features.select(asked);
    rows.observations = std::move(seen.observations);
    rows.observations.features = rows.observations.features.select(seen.features);
    rows.encoder = model ? model->encoder : make_encoder(rows.observations.features);
    rows.larger_is_better = (model ? model->objective : study.objective) == Objective::max;
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

// Whether the model was fitted on rows that are not known to be held out, as far as its sketch shows.
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

}  // namespace

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

JudgedRows judged_rows(const PolicySource& policy, const DataText& data, const StudyRoles& study,
                       const std::vector<ColumnSchema>& also, WhichRows which, const Progress& progress) {
    JudgedRows rows = all_rows(policy, data, study, also, progress);
    const std::string file = data.name == "stdin" ? "standard input" : data.name;
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
                "biases what follows; fit the model again)";
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

Table features_for(const PolicySource& policy, const DataText& data, const JudgedRows& rows, const Progress& progress) {
    const Table& judged = rows.observations.features;
    const Policy* model = policy.model();
    if (!model) return judged;
    const Table all = parse_csv(data.bytes, data.name, reading_options(*model), progress);
    for (const std::string& name : model->encoder.read_columns())
        if (all.find(name) == nullptr)
            throw data_error(
                fmt::format("{} needs the column {}, and {} has none", policy.text, in_quotes(name), data.name));
    // Matches rows by their line in the file, because rows may be dropped or reordered.
    std::unordered_map<std::uint32_t, std::size_t> row_of_line;
    for (std::size_t row = 0; row < all.rows(); ++row) row_of_line.emplace(all.source().lines[row], row);
    std::vector<std::size_t> same;
    for (const std::uint32_t line : judged.source().lines) same.push_back(row_of_line.at(line));
    return all.take(same);
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

}  // namespace polyrx
