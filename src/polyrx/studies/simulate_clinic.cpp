// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/studies/logistic.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx {
namespace {

struct Bounds {
    double lower;
    double upper;
};
constexpr Bounds age_bounds = {18, 90};
constexpr Bounds weight_bounds = {40, 160};
constexpr Bounds pressure_bounds = {85, 210};
constexpr Bounds egfr_bounds = {10, 130};
constexpr Bounds alt_bounds = {5, 300};
constexpr Bounds pain_bounds = {0, 10};
constexpr Bounds score_bounds = {0, 100};

const std::vector<std::string> sexes = {"F", "M"};
const std::vector<std::string> metabolizers = {"poor", "intermediate", "normal"};
const std::vector<std::string> doses = {"5 mg", "10 mg", "20 mg"};
constexpr std::size_t dose_count = 3;
using PerDose = std::array<double, dose_count>;

enum Sex : std::int32_t { female, male };
enum Metabolizer : std::int32_t { poor, intermediate, normal };

struct Patient {
    double age = 0;  // years
    Sex sex = female;
    double weight = 0;  // kg
    bool smoker = false;
    bool diabetes = false;
    double systolic_bp = 0;  // mmHg
    double egfr = 0;         // mL/min/1.73m²: kidney function
    double alt = 0;          // U/L: high with liver damage
    Metabolizer metabolizer = normal;
    double pain_at_start = 0;
};

double one_decimal(double value) {
    return std::round(value * 10) / 10;
}

double two_decimals(double value) {
    return std::round(value * 100) / 100;
}

// Redraws values out of bounds; clamping would pile them up at the limits.
template <class Value>
double draw_within(Bounds bounds, Value value) {
    for (;;)
        if (const double v = value(); v >= bounds.lower && v <= bounds.upper) return v;
}

// Rounds values as in a real file before anything depends on them, so that the row determines the truth.
Patient draw_patient(Rng& rng) {
    Patient p;
    p.age = std::round(draw_within(age_bounds, [&] { return 60 + 15 * rng.normal(); }));
    p.sex = rng.bernoulli(0.52) ? female : male;
    const double usual_weight = (p.sex == male ? 84 : 71) - 0.4 * std::max(0.0, p.age - 70);
    p.weight = one_decimal(draw_within(weight_bounds, [&] { return usual_weight * std::exp(0.19 * rng.normal()); }));
    p.smoker = rng.bernoulli(logistic(-1.1 - 0.02 * (p.age - 60)));
    p.diabetes = rng.bernoulli(logistic(-1.7 + 0.03 * (p.age - 60) + 0.03 * (p.weight - 78)));
    p.systolic_bp = std::round(draw_within(pressure_bounds, [&] {
        return 126 + 0.4 * (p.age - 50) + 0.2 * (p.weight - 78) + (p.diabetes ? 4 : 0) + 13 * rng.normal();
    }));
    p.egfr = std::round(
        draw_within(egfr_bounds, [&] { return 110 - 0.9 * (p.age - 30) - (p.diabetes ? 10 : 0) + 16 * rng.normal(); }));
    p.alt = std::round(draw_within(alt_bounds, [&] {
        return (p.sex == male ? 26 : 20) * std::exp(0.006 * (p.weight - 78) + 0.5 * rng.normal());
    }));
    const double genotype = rng.uniform();
    p.metabolizer = genotype < 0.12 ? poor : genotype < 0.45 ? intermediate : normal;
    p.pain_at_start = std::round(draw_within(
        pain_bounds, [&] { return 5.5 + (p.smoker ? 0.5 : 0) + (p.diabetes ? 0.5 : 0) + 2 * rng.normal(); }));
    return p;
}

// The ideal dose in doublings of 5 mg: 0 is 5 mg, 1 is 10 mg, 2 is 20 mg. Heavy patients and smokers (faster clearance)
// need more. Weak kidneys, a damaged liver, old age and slow metabolism keep the drug in the body.
double ideal_doublings(const Patient& p) {
    constexpr std::array<double, 3> by_metabolizer = {-1.2, -0.3, 0.2};
    const double ideal = 1.3 + 0.03 * (p.weight - 78) + (p.smoker ? 0.5 : 0) - 0.04 * std::max(0.0, 75 - p.egfr) -
                         0.01 * std::max(0.0, p.alt - 50) - 0.03 * std::max(0.0, p.age - 70) +
                         by_metabolizer[p.metabolizer];
    return std::clamp(ideal, -0.5, 2.5);
}

// A baseline by patient, plus a cost for each doubling below the ideal dose (remaining symptoms) or above it (side
// effects). It is piecewise linear, so a small ReLU network can represent it exactly. Between 12 and 89 points.
PerDose noiseless_scores(const Patient& p) {
    const double severity = 12 + 4 * p.pain_at_start + (p.diabetes ? 4 : 0) + 0.1 * std::max(0.0, p.systolic_bp - 130);
    const double ideal = ideal_doublings(p);
    PerDose scores{};
    for (std::size_t k = 0; k < dose_count; ++k) {
        const double above = static_cast<double>(k) - ideal;
        scores[k] = two_decimals(severity + 8 * std::max(0.0, -above) + 10 * std::max(0.0, above));
    }
    return scores;
}

// Doctors prescribe more to patients in pain and heavy patients, less to old ones. These features are never missing, so
// adjusting for them removes the confounding. No dose has a propensity below 0.05.
PerDose propensities(const Patient& p) {
    constexpr double least = 0.05;
    const double boldness = 0.6 * (p.pain_at_start - 5.5) + 0.03 * (p.weight - 78) - 0.06 * std::max(0.0, p.age - 65);
    const PerDose odds = {std::exp(-boldness), 1.5, std::exp(boldness)};
    const double total = odds[0] + odds[1] + odds[2];
    PerDose result{};
    for (std::size_t k = 0; k < dose_count; ++k) result[k] = least + (1 - dose_count * least) * odds[k] / total;
    return result;
}

std::size_t assign(Rng& rng, const PerDose& propensity) {
    const double u = rng.uniform();
    return u < propensity[0] ? 0 : u < propensity[0] + propensity[1] ? 1 : 2;
}

struct Missing {
    bool smoker = false;
    bool systolic_bp = false;
    bool egfr = false;
    bool alt = false;
    bool metabolizer = false;
};

// Young patients often have no blood test and thus no laboratory values. Old patients less often consent to a genetic
// test.
Missing draw_missing(Rng& rng, const Patient& p) {
    Missing missing;
    const bool no_blood_test = rng.bernoulli(p.age < 50 ? 0.10 : 0.025);
    const bool egfr_lost = rng.bernoulli(0.04);
    const bool alt_lost = rng.bernoulli(0.02);
    missing.egfr = no_blood_test || egfr_lost;
    missing.alt = no_blood_test || alt_lost;
    missing.metabolizer = rng.bernoulli(p.age >= 70 ? 0.08 : 0.04);
    missing.smoker = rng.bernoulli(0.02);
    missing.systolic_bp = rng.bernoulli(0.015);
    return missing;
}

std::vector<Column> empty_columns(bool truth) {
    std::vector<Column> columns = {
        {"age", NumericColumn{}},
        {"sex", CategoricalColumn{sexes, {}}},
        {"weight", NumericColumn{}},
        {"smoker", BooleanColumn{}},
        {"diabetes", BooleanColumn{}},
        {"systolic_bp", NumericColumn{}},
        {"egfr", NumericColumn{}},
        {"alt", NumericColumn{}},
        {"metabolizer", CategoricalColumn{metabolizers, {}}},
        {"pain_at_start", NumericColumn{}},
        {"treatment", CategoricalColumn{doses, {}}},
        {"outcome", NumericColumn{}},
    };
    if (truth) {
        for (const char* name : {"y0", "y1", "y2"}) columns.push_back({name, NumericColumn{}});
        columns.push_back({"best", CategoricalColumn{doses, {}}});
    }
    return columns;
}

// Appends one row, cell by cell in column order.
class RowWriter {
public:
    explicit RowWriter(std::vector<Column>& columns) : column_(columns.begin()) {}

    RowWriter& number(double value, bool missing = false) {
        std::get<NumericColumn>(next()).values.push_back(missing ? NumericColumn::missing : value);
        return *this;
    }
    RowWriter& category(std::size_t code, bool missing = false) {
        std::get<CategoricalColumn>(next()).codes.push_back(missing ? CategoricalColumn::missing
                                                                    : static_cast<std::int32_t>(code));
        return *this;
    }
    RowWriter& boolean(bool value, bool missing = false) {
        std::get<BooleanColumn>(next()).values.push_back(missing ? BooleanColumn::missing
                                                                 : static_cast<std::int8_t>(value));
        return *this;
    }

private:
    decltype(Column::values)& next() { return (column_++)->values; }

    std::vector<Column>::iterator column_;
};

ColumnSchema number(std::string name, std::string unit, Bounds bounds, bool integer) {
    return {.name = std::move(name),
            .type = ColumnType::numeric,
            .unit = std::move(unit),
            .categories = {},
            .lower = bounds.lower,
            .upper = bounds.upper,
            .integer = integer};
}

ColumnSchema category(std::string name, std::vector<std::string> categories) {
    return {.name = std::move(name),
            .type = ColumnType::categorical,
            .unit = {},
            .categories = std::move(categories),
            .lower = {},
            .upper = {}};
}

ColumnSchema boolean(std::string name) {
    return {
        .name = std::move(name), .type = ColumnType::boolean, .unit = {}, .categories = {}, .lower = {}, .upper = {}};
}

}  // namespace

Table simulate_clinic(const SimulateOptions& options) {
    if (options.rows == 0) throw usage_error("cannot simulate 0 rows; expected at least 1");

    Rng feature_rng(options.seed, Draw::features);
    Rng assignment_rng(options.seed, Draw::assignment);
    Rng noise_rng(options.seed, Draw::noise);
    Rng missingness_rng(options.seed, Draw::missingness);
    std::vector<Column> columns = empty_columns(options.truth);
    for (std::size_t row = 0; row < options.rows; ++row) {
        const Patient p = draw_patient(feature_rng);
        const Missing missing = draw_missing(missingness_rng, p);
        const PerDose scores = noiseless_scores(p);
        const std::size_t given = assign(assignment_rng, propensities(p));
        const double outcome =
            one_decimal(std::clamp(scores[given] + 5 * noise_rng.normal(), score_bounds.lower, score_bounds.upper));

        RowWriter cells(columns);
        cells.number(p.age)
            .category(p.sex)
            .number(p.weight)
            .boolean(p.smoker, missing.smoker)
            .boolean(p.diabetes)
            .number(p.systolic_bp, missing.systolic_bp)
            .number(p.egfr, missing.egfr)
            .number(p.alt, missing.alt)
            .category(p.metabolizer, missing.metabolizer)
            .number(p.pain_at_start)
            .category(given)
            .number(outcome);
        if (options.truth) {
            const auto* best = std::min_element(scores.begin(), scores.end());
            for (const double score : scores) cells.number(score);
            cells.category(static_cast<std::size_t>(best - scores.begin()));
        }
    }
    return Table(std::move(columns));
}

Schema clinic_schema() {
    Schema schema;
    schema.columns = {
        number("age", "years", age_bounds, true),
        category("sex", sexes),
        number("weight", "kg", weight_bounds, false),
        boolean("smoker"),
        boolean("diabetes"),
        number("systolic_bp", "mmHg", pressure_bounds, true),
        number("egfr", "mL/min/1.73m²", egfr_bounds, true),
        number("alt", "U/L", alt_bounds, true),
        category("metabolizer", metabolizers),
        number("pain_at_start", "points", pain_bounds, true),
        category("treatment", doses),
        number("outcome", "points", score_bounds, false),
    };
    schema.treatments = doses;
    return schema;
}

}  // namespace polyrx
