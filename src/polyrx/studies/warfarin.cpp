// SPDX-License-Identifier: Apache-2.0
#include "polyrx/studies/warfarin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {
namespace {

// Possible names of a column: the consortium's spreadsheet and published exports of it differ.
using Headings = std::vector<std::string>;

const Headings subject = {"PharmGKB Subject ID"};
const Headings height = {"Height (cm)"};
const Headings weight = {"Weight (kg)"};
const Headings dose = {"Therapeutic Dose of Warfarin"};

// A categorical column; each category becomes a 0/1 feature.
struct Group {
    Headings headings;
    struct Category {
        std::string text;
        std::string feature;
    };
    std::vector<Category> categories;
    bool several = false;  // a cell may hold several, separated by ; or ,
};

// Section 5.3 does not list its features. These are 40, as it says, and six of them match the scaled values in its
// appendix. The consensus columns do not match: quality control filled in some genotypes there and removed others.
const std::vector<Group> groups = {
    {{"Gender"}, {{"female", "Gender_female"}, {"male", "Gender_male"}}},
    {{"Race", "Race (OMB)"},
     {{"Asian", "Race_Asian"},
      {"Black or African American", "Race_Black or African American"},
      {"Unknown", "Race_Unknown"},
      {"White", "Race_White"}}},
    {{"Age"},
     {{"10 - 19", "Age_10-19"},
      {"20 - 29", "Age_20-29"},
      {"30 - 39", "Age_30-39"},
      {"40 - 49", "Age_40-49"},
      {"50 - 59", "Age_50-59"},
      {"60 - 69", "Age_60-69"},
      {"70 - 79", "Age_70-79"},
      {"80 - 89", "Age_80-89"},
      {"90+", "Age_90+"}}},
    {{"Indication for Warfarin Treatment"},
     {{"1", "Ind_DVT"},
      {"2", "Ind_BloodClot_PE"},
      {"3", "Ind_Afib"},
      {"4", "Ind_HeartValve"},
      {"5", "Ind_Cardiomyopathy"},
      {"6", "Ind_Stroke"},
      {"7", "Ind_PostOrthopedic"},
      {"8", "Ind_Other"}},
     true},
    {{"Cyp2C9 genotypes"},
     {{"*1/*1", "Cyp2C9_1/1"},
      {"*1/*11", "Cyp2C9_1/11"},
      {"*1/*13", "Cyp2C9_1/13"},
      {"*1/*14", "Cyp2C9_1/14"},
      {"*1/*2", "Cyp2C9_1/2"},
      {"*1/*3", "Cyp2C9_1/3"},
      {"*1/*5", "Cyp2C9_1/5"},
      {"*1/*6", "Cyp2C9_1/6"},
      {"*2/*2", "Cyp2C9_2/2"},
      {"*2/*3", "Cyp2C9_2/3"},
      {"*3/*3", "Cyp2C9_3/3"}}},
    {{"VKORC1 genotype: -1639 G>A (3673); chr16:31015190; rs9923231; C/T",
      "VKORC1 genotype:   -1639 G>A (3673); chr16:31015190; rs9923231; C/T"},
     {{"A/A", "VKORC1_A/A"}, {"A/G", "VKORC1_A/G"}, {"G/G", "VKORC1_G/G"}}},
};

// The text before the first line end outside quotes.
std::string_view first_row(std::string_view bytes) {
    bool quoted = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '"') quoted = !quoted;
        if (bytes[i] == '\n' && !quoted) return bytes.substr(0, i + 1);
    }
    return bytes;
}

// Options to read the needed columns. Missing columns are reported first, so that a wrong file is recognized as such
// before its rows are parsed.
CsvOptions reading(std::string_view bytes, const std::string& name, const Progress& progress) {
    if (bytes.starts_with("\xd0\xcf\x11\xe0") || bytes.starts_with("PK\x03\x04"))
        throw data_error(
            fmt::format("{} is a spreadsheet; save its sheet 'Subject Data' as CSV and use that file", name));
    CsvOptions options;
    options.pass_over_nameless = true;
    options.columns.emplace();
    const Table header = parse_csv(first_row(bytes), name, options, progress);
    std::size_t needed = 0;
    std::vector<std::string> absent;
    const auto need = [&](const Headings& headings, ColumnType type) {
        ++needed;
        const auto found = std::ranges::find_first_of(headings, header.source().header);
        if (found == headings.end()) {
            absent.push_back(headings.front());
            return;
        }
        options.columns->push_back(*found);
        options.schema.columns.push_back({.name = *found, .type = type});
    };
    need(subject, ColumnType::categorical);
    for (const Headings* number : {&height, &weight, &dose}) need(*number, ColumnType::numeric);
    for (const Group& group : groups) need(group.headings, ColumnType::categorical);
    if (absent.size() == needed)
        throw data_error(
            fmt::format("{} is not the IWPC file: none of the expected columns exist ({})", name, listed(absent, 4)));
    if (!absent.empty())
        throw data_error(fmt::format("{} is not the IWPC file of PharmGKB: it lacks the column{} {}", name,
                                     absent.size() == 1 ? "" : "s", listed(absent, needed)));
    return options;
}

const Column& column_of(const Table& table, const Headings& headings) {
    for (const std::string& heading : headings)
        if (const Column* column = table.find(heading)) return *column;
    return table.at(headings.front());
}

[[noreturn]] void fail(const Table& table, std::size_t row, const Column& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(row), in_quotes(column.name), sentence));
}

std::vector<double> positive_numbers(const Table& table, const Headings& headings) {
    const Column& column = column_of(table, headings);
    std::vector<double> values = std::get<NumericColumn>(column.values).values;
    for (std::size_t row = 0; row < values.size(); ++row)
        if (!std::isfinite(values[row]) || values[row] <= 0)
            fail(table, row, column, fmt::format("{} is not a finite number above 0", column.text(row)));
    return values;
}

// Rounded to six decimals, which no scale exceeds, so that the file stays readable.
double body_mass_index(double kilograms, double centimetres) {
    const double metres = centimetres / 100;
    return std::round(1e6 * kilograms / (metres * metres)) / 1e6;
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(";,"), text.size());
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// The features of a group, all 0. They are written as 0 and 1, not as false and true.
std::vector<Column> zeros_of(const Group& group, std::size_t rows) {
    std::vector<Column> columns;
    for (const Group::Category& category : group.categories)
        columns.push_back({category.feature, BooleanColumn{std::vector<std::int8_t>(rows, 0), "0", "1"}});
    return columns;
}

std::vector<Column> features_of(const Table& table, const Group& group) {
    const Column& column = column_of(table, group.headings);
    std::vector<Column> features = zeros_of(group, table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (column.is_missing(row)) continue;
        const std::string text = column.text(row);
        for (const std::string_view part : group.several ? parts_of(text) : std::vector{trimmed(text)}) {
            const auto found = std::ranges::find(group.categories, part, &Group::Category::text);
            if (found == group.categories.end()) {
                std::vector<std::string> known;
                for (const Group::Category& category : group.categories) known.push_back(category.text);
                fail(table, row, column,
                     fmt::format("{} is not one of {}", in_quotes(part), listed(known, known.size())));
            }
            Column& feature = features[static_cast<std::size_t>(found - group.categories.begin())];
            std::get<BooleanColumn>(feature.values).values[row] = 1;
        }
    }
    return features;
}

double class_of(double dose_mg_week) {
    return dose_mg_week <= 21 ? 0 : dose_mg_week < 49 ? 1 : 2;
}

}  // namespace

WarfarinCohort parse_warfarin(std::string_view bytes, const std::string& name, const Progress& progress) {
    const Table all = parse_csv(bytes, name, reading(bytes, name, progress), progress);
    WarfarinCohort cohort;
    std::vector<std::size_t> complete;
    for (std::size_t row = 0; row < all.rows(); ++row) {
        const auto is_missing = [&](const Headings* headings) { return column_of(all, *headings).is_missing(row); };
        if (std::ranges::none_of(std::vector{&height, &weight, &dose}, is_missing))
            complete.push_back(row);
        else if (!is_missing(&subject))  // the file may end with a row of commas
            ++cohort.left_out;
    }
    if (complete.empty()) throw data_error(fmt::format("{}: no patient has a dose, a height and a weight", name));

    // Rows that are left out are not checked: some have indications such as '1 or 2'.
    const Table table = all.take(complete);
    std::vector<double> centimetres = positive_numbers(table, height);
    std::vector<double> kilograms = positive_numbers(table, weight);
    std::vector<double> milligrams = positive_numbers(table, dose);
    std::vector<double> indices(table.rows());
    std::ranges::transform(kilograms, centimetres, indices.begin(), body_mass_index);
    std::vector<double> classes(table.rows());
    std::ranges::transform(milligrams, classes.begin(), class_of);

    std::vector<Column> columns = {{"id", column_of(table, subject).values},
                                   {"Height", NumericColumn{std::move(centimetres)}},
                                   {"Weight", NumericColumn{std::move(kilograms)}},
                                   {"BMI", NumericColumn{std::move(indices)}}};
    for (const Group& group : groups)
        for (Column& feature : features_of(table, group)) columns.push_back(std::move(feature));
    columns.push_back({"dose_mg_week", NumericColumn{std::move(milligrams)}});
    columns.push_back({"class", NumericColumn{std::move(classes)}});
    cohort.patients = Table(std::move(columns));
    return cohort;
}

Schema warfarin_schema() {
    Schema schema;
    const auto number = [&](const char* name, const char* unit) {
        schema.columns.push_back({.name = name, .type = ColumnType::numeric, .unit = unit});
    };
    number("Height", "cm");
    number("Weight", "kg");
    number("BMI", "kg/m²");
    for (const Group& group : groups)
        for (const Group::Category& category : group.categories)
            schema.columns.push_back({.name = category.feature, .type = ColumnType::boolean});
    schema.columns.push_back({.name = "treatment", .type = ColumnType::categorical, .categories = warfarin_doses});
    schema.columns.push_back(
        {.name = "outcome", .type = ColumnType::numeric, .lower = 0.0, .upper = 1.0, .integer = true});
    schema.treatments = warfarin_doses;
    return schema;
}

}  // namespace polyrx
