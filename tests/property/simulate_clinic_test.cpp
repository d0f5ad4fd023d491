// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "polyrx/studies/simulate.hpp"
#include "tests/support/columns.hpp"

namespace polyrx {
namespace {

using test::categories;
using test::mean;
using test::numbers;

// Small enough to be quick, large enough that every share below is far from its limit.
const Table& cohort() {
    static const Table table = simulate_clinic({.rows = 20'000, .seed = 2, .truth = true});
    return table;
}

std::size_t given(std::size_t row) {
    return static_cast<std::size_t>(categories(cohort(), "treatment").codes[row]);
}

std::size_t best(std::size_t row) {
    return static_cast<std::size_t>(categories(cohort(), "best").codes[row]);
}

std::array<double, 3> truth(std::size_t row) {
    return {numbers(cohort(), "y0")[row], numbers(cohort(), "y1")[row], numbers(cohort(), "y2")[row]};
}

double missing_share(std::string_view name, const std::function<bool(std::size_t)>& among) {
    double missing = 0;
    double all = 0;
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        if (!among(row)) continue;
        ++all;
        if (cohort().at(name).is_missing(row)) ++missing;
    }
    return missing / all;
}

bool anyone(std::size_t) {
    return true;
}

// How often each dose is best.
std::array<double, 3> best_shares(const std::function<bool(std::size_t)>& among) {
    std::array<double, 3> shares{};
    double all = 0;
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        if (!among(row)) continue;
        ++all;
        ++shares[best(row)];
    }
    for (double& share : shares) share /= all;
    return shares;
}

TEST(SimulateClinic, StaysWithinTheBoundsOfItsSchema) {
    for (const ColumnSchema& schema : clinic_schema().columns) {
        if (schema.type != ColumnType::numeric) continue;
        const auto& values = numbers(cohort(), schema.name);
        for (std::size_t row = 0; row < values.size(); ++row) {
            if (std::isnan(values[row])) continue;
            ASSERT_GE(values[row], *schema.lower) << schema.name;
            ASSERT_LE(values[row], *schema.upper) << schema.name;
            const double written = values[row] * (schema.integer ? 1 : 10);
            ASSERT_NEAR(written, std::round(written), 1e-9) << schema.name << " has too many digits";
        }
    }
}

TEST(SimulateClinic, LacksLaboratoryValuesMostOftenAndWhatDoctorsWentByNever) {
    EXPECT_NEAR(missing_share("egfr", anyone), 0.08, 0.01);
    EXPECT_NEAR(missing_share("alt", anyone), 0.06, 0.01);
    EXPECT_NEAR(missing_share("metabolizer", anyone), 0.05, 0.01);
    EXPECT_NEAR(missing_share("smoker", anyone), 0.02, 0.01);
    EXPECT_NEAR(missing_share("systolic_bp", anyone), 0.015, 0.01);
    for (const char* name : {"age", "sex", "weight", "diabetes", "pain_at_start", "treatment", "outcome"})
        EXPECT_EQ(missing_share(name, anyone), 0) << name;
}

TEST(SimulateClinic, LacksValuesDependingOnAge) {
    const auto& age = numbers(cohort(), "age");
    const auto young = [&](std::size_t row) { return age[row] < 50; };
    const auto old = [&](std::size_t row) { return age[row] >= 70; };
    EXPECT_GT(missing_share("egfr", young), 1.5 * missing_share("egfr", old));
    EXPECT_GT(missing_share("metabolizer", old), 1.5 * missing_share("metabolizer", young));
}

TEST(SimulateClinic, LooksLikePatients) {
    std::array<std::vector<double>, 2> weight_by_sex;
    std::vector<double> egfr_young;
    std::vector<double> egfr_old;
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        const auto sex = static_cast<std::size_t>(categories(cohort(), "sex").codes[row]);
        weight_by_sex[sex].push_back(numbers(cohort(), "weight")[row]);
        const double egfr = numbers(cohort(), "egfr")[row];
        if (!std::isnan(egfr)) (numbers(cohort(), "age")[row] < 50 ? egfr_young : egfr_old).push_back(egfr);
    }
    EXPECT_NEAR(mean(weight_by_sex[0]), 72, 2);
    EXPECT_NEAR(mean(weight_by_sex[1]), 85, 2);
    EXPECT_GT(mean(egfr_young), mean(egfr_old) + 15);
    EXPECT_NEAR(mean(numbers(cohort(), "age")), 59, 1);
}

TEST(SimulateClinic, CallsTheDoseWithTheSmallestTruthTheBest) {
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        const auto y = truth(row);
        ASSERT_EQ(best(row), static_cast<std::size_t>(std::min_element(y.begin(), y.end()) - y.begin()));
    }
}

// Under- and overdosing both cost, so that the score is a V over the doublings of the dose.
TEST(SimulateClinic, HasATruthThatIsConvexInTheDose) {
    const double rounding = 0.02 + 1e-9;
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        const auto y = truth(row);
        ASSERT_GE(y[0] - 2 * y[1] + y[2], -rounding);
    }
}

TEST(SimulateClinic, HasEveryDoseBestForAFifthAtLeast) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Table table = simulate_clinic({.rows = 2000, .seed = seed, .truth = true});
        std::array<double, 3> shares{};
        for (const std::int32_t code : categories(table, "best").codes)
            shares[static_cast<std::size_t>(code)] += 1.0 / static_cast<double>(table.rows());
        for (const double share : shares) EXPECT_GE(share, 0.2) << "seed " << seed;
    }
}

TEST(SimulateClinic, SuitsTheDoseToClearanceAndWeight) {
    const auto& egfr = numbers(cohort(), "egfr");
    const auto& weight = numbers(cohort(), "weight");
    const auto& age = numbers(cohort(), "age");
    const auto& metabolizer = categories(cohort(), "metabolizer").codes;
    const auto of = [&](std::int32_t code) {
        return [&metabolizer, code](std::size_t row) { return metabolizer[row] == code; };
    };
    EXPECT_GT(best_shares([&](std::size_t row) { return egfr[row] < 45; })[0], 0.8);
    EXPECT_GT(best_shares([&](std::size_t row) { return age[row] > 80; })[0], 0.6);
    EXPECT_GT(best_shares(of(0))[0], 0.7);
    EXPECT_GT(best_shares(of(1))[1], 0.5);
    EXPECT_GT(best_shares([&](std::size_t row) { return weight[row] > 95 && egfr[row] > 75; })[2], 0.7);
}

// The reason for adjusting at all: those in pain got more, so the lowest dose looks best though it is not.
TEST(SimulateClinic, MisleadsWhoComparesRawMeans) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Table table = simulate_clinic({.rows = 2000, .seed = seed, .truth = true});
        std::array<std::vector<double>, 3> outcomes;
        for (std::size_t row = 0; row < table.rows(); ++row)
            outcomes[static_cast<std::size_t>(categories(table, "treatment").codes[row])].push_back(
                numbers(table, "outcome")[row]);
        EXPECT_LT(mean(outcomes[0]), mean(outcomes[1])) << "seed " << seed;
        EXPECT_LT(mean(outcomes[1]), mean(outcomes[2])) << "seed " << seed;
        EXPECT_LT(mean(numbers(table, "y1")) + 2, mean(numbers(table, "y0"))) << "seed " << seed;
        EXPECT_LT(mean(numbers(table, "y1")) + 2, mean(numbers(table, "y2"))) << "seed " << seed;
    }
}

// Propensities are at least 0.05 by construction; in the extremes of pain the rarest dose shows it.
TEST(SimulateClinic, GivesEveryDoseToEveryKindOfPatient) {
    const auto& pain = numbers(cohort(), "pain_at_start");
    for (const bool high : {false, true}) {
        std::array<double, 3> shares{};
        double all = 0;
        for (std::size_t row = 0; row < cohort().rows(); ++row) {
            if (high ? pain[row] < 9 : pain[row] > 2) continue;
            ++all;
            ++shares[given(row)];
        }
        const double error = std::sqrt(0.05 * 0.95 / all);
        for (const double share : shares) EXPECT_GE(share / all, 0.05 - 4 * error);
        EXPECT_GT(shares[high ? 2 : 0] / all, 0.6);
    }
}

TEST(SimulateClinic, AddsNoiseOfFivePointsToTheTruthOfTheDoseGiven) {
    std::vector<double> noise;
    for (std::size_t row = 0; row < cohort().rows(); ++row)
        noise.push_back(numbers(cohort(), "outcome")[row] - truth(row)[given(row)]);
    const auto n = static_cast<double>(noise.size());
    EXPECT_NEAR(mean(noise), 0, 4 * 5 / std::sqrt(n));
    EXPECT_NEAR(test::variance(noise), 25, 4 * 25 * std::sqrt(2 / n));
}

// The truth as the comments of simulate_clinic.cpp tell it, from the cells of rows that lack nothing.
TEST(SimulateClinic, LetsWhoHasTheWholeRowRecomputeTheTruth) {
    const auto at = [](const char* name, std::size_t row) { return numbers(cohort(), name)[row]; };
    const auto holds = [](const char* name, std::size_t row) {
        return std::get<BooleanColumn>(cohort().at(name).values).values[row] == 1;
    };
    std::size_t checked = 0;
    for (std::size_t row = 0; row < cohort().rows(); ++row) {
        const auto& columns = cohort().columns();
        if (std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.is_missing(row); })) continue;
        ++checked;
        double severity = 12 + 4 * at("pain_at_start", row);
        if (holds("diabetes", row)) severity += 4;
        if (at("systolic_bp", row) > 130) severity += 0.1 * (at("systolic_bp", row) - 130);

        double ideal = 1.3 + 0.03 * (at("weight", row) - 78);
        if (holds("smoker", row)) ideal += 0.5;
        if (at("egfr", row) < 75) ideal -= 0.04 * (75 - at("egfr", row));
        if (at("alt", row) > 50) ideal -= 0.01 * (at("alt", row) - 50);
        if (at("age", row) > 70) ideal -= 0.03 * (at("age", row) - 70);
        const std::string metabolizer = cohort().at("metabolizer").text(row);
        ideal += metabolizer == "poor" ? -1.2 : metabolizer == "intermediate" ? -0.3 : 0.2;
        ideal = std::min(2.5, std::max(-0.5, ideal));

        for (std::size_t k = 0; k < 3; ++k) {
            const auto doublings = static_cast<double>(k);
            const double price = doublings < ideal ? 8 * (ideal - doublings) : 10 * (doublings - ideal);
            ASSERT_NEAR(truth(row)[k], severity + price, 0.005 + 1e-9) << "row " << row;
        }
    }
    EXPECT_GT(checked, 15'000U);
}

}  // namespace
}  // namespace polyrx
