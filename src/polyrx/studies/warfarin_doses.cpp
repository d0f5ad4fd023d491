// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "polyrx/core/rng.hpp"
#include "polyrx/studies/warfarin.hpp"
#include "polyrx/study/standardize.hpp"

namespace polyrx {
namespace {

constexpr std::size_t warfarin_dose_count = 3;

// The odds are exp(-z) : 1 : exp(z), divided by the largest to avoid overflow.
std::size_t give(Rng& rng, double z) {
    const double middle = std::exp(-std::abs(z));
    std::array<double, warfarin_dose_count> odds = {1, middle, middle * middle};
    if (z > 0) std::swap(odds.front(), odds.back());
    const double u = rng.uniform() * (odds[0] + odds[1] + odds[2]);
    return u < odds[0] ? 0 : u < odds[0] + odds[1] ? 1 : 2;
}

}  // namespace

Table observe_doses(const Table& patients, std::uint64_t seed) {
    std::vector<double> z = std::get<NumericColumn>(patients.at("BMI").values).values;
    standardize(z);
    const std::vector<double>& classes = std::get<NumericColumn>(patients.at("class").values).values;

    CategoricalColumn treatment{warfarin_doses, {}};
    CategoricalColumn best{warfarin_doses, {}};
    NumericColumn outcome;
    std::array<NumericColumn, warfarin_dose_count> truth;
    Rng rng(seed, Draw::doses);
    for (std::size_t row = 0; row < patients.rows(); ++row) {
        const auto right = static_cast<std::size_t>(classes[row]);
        const std::size_t given = give(rng, z[row]);
        treatment.codes.push_back(static_cast<std::int32_t>(given));
        outcome.values.push_back(given == right ? 0 : 1);
        for (std::size_t k = 0; k < warfarin_dose_count; ++k) truth[k].values.push_back(k == right ? 0 : 1);
        best.codes.push_back(static_cast<std::int32_t>(right));
    }

    std::vector<Column> columns;
    for (const Column& column : patients.columns())
        if (column.name != "id" && column.name != "dose_mg_week" && column.name != "class") columns.push_back(column);
    columns.push_back({"treatment", std::move(treatment)});
    columns.push_back({"outcome", std::move(outcome)});
    for (std::size_t k = 0; k < warfarin_dose_count; ++k)
        columns.push_back({fmt::format("y{}", k), std::move(truth[k])});
    columns.push_back({"best", std::move(best)});
    return Table(std::move(columns));
}

}  // namespace polyrx
