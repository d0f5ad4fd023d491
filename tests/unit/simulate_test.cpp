// SPDX-License-Identifier: Apache-2.0
#include "polyrx/studies/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "polyrx/core/error.hpp"
#include "tests/support/columns.hpp"

namespace polyrx {
namespace {

using test::column_names;
using test::numbers;
using test::same_first_rows;

std::vector<std::string> with_features(std::vector<std::string> others) {
    std::vector<std::string> names;
    for (int j = 1; j <= 20; ++j) names.push_back("x" + std::to_string(j));
    names.insert(names.end(), others.begin(), others.end());
    return names;
}

void expect_usage_error(const std::function<void()>& call, const std::string& sentence) {
    try {
        call();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_EQ(error.what(), sentence);
    }
}

TEST(SimulatePaper, HasTwentyFeaturesThenTreatmentAndOutcome) {
    EXPECT_EQ(column_names(simulate_paper(1, {.rows = 2})), with_features({"treatment", "outcome"}));
    EXPECT_EQ(simulate_paper(1, {.rows = 2}).rows(), 2U);
}

TEST(SimulatePaper, AddsOneTruthPerTreatmentAndTheBestOnRequest) {
    EXPECT_EQ(column_names(simulate_paper(4, {.rows = 2, .truth = true})),
              with_features({"treatment", "outcome", "y0", "y1", "best"}));
    EXPECT_EQ(column_names(simulate_paper(5, {.rows = 2, .truth = true})),
              with_features({"treatment", "outcome", "y0", "y1", "y2", "best"}));
}

TEST(SimulatePaper, RefusesADatasetThatThePaperDoesNotHave) {
    for (const int dataset : {-1, 0, 7})
        expect_usage_error([&] { (void)simulate_paper(dataset, {}); },
                           "dataset " + std::to_string(dataset) + " does not exist; the paper has 1 to 6");
}

TEST(SimulateDesign, OfThePapersFunctionsIsThePapersDataset) {
    const std::vector<std::vector<int>> table_1 = {{1, 2}, {4, 2}, {3, 4}, {1, 3}, {2, 1, 3}, {2, 3, 4}};
    for (const Variant variant : {Variant::paper, Variant::literal})
        for (int dataset = 1; dataset <= 6; ++dataset) {
            const SimulateOptions options = {.rows = 50, .variant = variant, .truth = true};
            EXPECT_TRUE(same_first_rows(simulate_design(table_1[static_cast<std::size_t>(dataset) - 1], options),
                                        simulate_paper(dataset, options), 50));
        }
}

TEST(SimulateDesign, RefusesFunctionsThatThePaperDoesNotHave) {
    const auto refuses = [](std::vector<int> functions, const std::string& sentence) {
        expect_usage_error([&] { (void)simulate_design(functions, {}); }, sentence);
    };
    refuses({1, 5}, "function f5 does not exist; the paper has f1 to f4");
    refuses({0, 2}, "function f0 does not exist; the paper has f1 to f4");
    refuses({1}, "expected two or three functions (a base and its effects), not 1");
    refuses({1, 2, 3, 4}, "expected two or three functions (a base and its effects), not 4");
}

TEST(Simulate, RefusesToSimulateNobody) {
    expect_usage_error([] { (void)simulate_paper(1, {.rows = 0}); }, "cannot simulate 0 rows; expected at least 1");
    expect_usage_error([] { (void)simulate_clinic({.rows = 0}); }, "cannot simulate 0 rows; expected at least 1");
}

// Anything that changes these values changes every published figure: say so in the change log if it must be.
TEST(SimulatePaper, KeepsItsValuesFromReleaseToRelease) {
    const Table table = simulate_paper(1, {.rows = 3, .seed = 1, .truth = true});
    EXPECT_DOUBLE_EQ(numbers(table, "x1")[0], -1.3788930686096879);
    EXPECT_EQ(numbers(table, "x2"), (std::vector<double>{1, -1, 1}));
    EXPECT_DOUBLE_EQ(numbers(table, "x19")[2], -1.2176173267647257);
    EXPECT_EQ(numbers(table, "treatment"), (std::vector<double>{0, 0, 0}));
    EXPECT_DOUBLE_EQ(numbers(table, "outcome")[0], -4.936500732330397);
    EXPECT_DOUBLE_EQ(numbers(table, "y1")[2], -3.9115870232998855);
    EXPECT_EQ(numbers(table, "best"), (std::vector<double>{1, 0, 0}));
}

TEST(SimulateClinic, KeepsItsValuesFromReleaseToRelease) {
    const Table table = simulate_clinic({.rows = 3, .seed = 1, .truth = true});
    const std::vector<std::string> expected = {
        "39 F 61.9 missing 15 20 mg 51.4 52.34 44.34 54.03 10 mg",
        "64 F 70.7 normal 46 10 mg 48.4 50.25 42.25 47.19 10 mg",
        "81 F 85 missing 8 10 mg 56.5 45.4 55.4 65.4 5 mg",
    };
    for (std::size_t row = 0; row < expected.size(); ++row) {
        std::string text;
        for (const char* name :
             {"age", "sex", "weight", "metabolizer", "alt", "treatment", "outcome", "y0", "y1", "y2", "best"}) {
            const Column& column = table.at(name);
            text += (text.empty() ? "" : " ") + (column.is_missing(row) ? "missing" : column.text(row));
        }
        EXPECT_EQ(text, expected[row]);
    }
}

TEST(Simulate, GivesTheSameRowsForTheSameSeedOnly) {
    const SimulateOptions options = {.rows = 50, .seed = 9, .truth = true};
    const SimulateOptions other = {.rows = 50, .seed = 10, .truth = true};
    for (int dataset = 1; dataset <= 6; ++dataset) {
        EXPECT_TRUE(same_first_rows(simulate_paper(dataset, options), simulate_paper(dataset, options), 50));
        EXPECT_FALSE(same_first_rows(simulate_paper(dataset, options), simulate_paper(dataset, other), 1));
    }
    EXPECT_TRUE(same_first_rows(simulate_clinic(options), simulate_clinic(options), 50));
    EXPECT_FALSE(same_first_rows(simulate_clinic(options), simulate_clinic(other), 1));
}

TEST(Simulate, BeginsWithTheSameRowsHoweverManyAreAskedFor) {
    for (int dataset = 1; dataset <= 6; ++dataset)
        EXPECT_TRUE(same_first_rows(simulate_paper(dataset, {.rows = 37}), simulate_paper(dataset, {.rows = 100}), 37));
    EXPECT_TRUE(same_first_rows(simulate_clinic({.rows = 37}), simulate_clinic({.rows = 100}), 37));
}

TEST(Simulate, ShowsTheSameDataWithAndWithoutTheTruth) {
    const auto expect_same_start = [](const Table& without, const Table& with) {
        for (const Column& column : without.columns())
            for (std::size_t row = 0; row < without.rows(); ++row)
                EXPECT_TRUE(test::same_cell(column, with.at(column.name), row)) << column.name << " " << row;
    };
    expect_same_start(simulate_paper(6, {.rows = 30}), simulate_paper(6, {.rows = 30, .truth = true}));
    expect_same_start(simulate_clinic({.rows = 30}), simulate_clinic({.rows = 30, .truth = true}));
}

TEST(SimulatePaper, GivesAllDatasetsTheSameFeatures) {
    const Table first = simulate_paper(1, {.rows = 20});
    for (int dataset = 2; dataset <= 6; ++dataset)
        EXPECT_EQ(numbers(simulate_paper(dataset, {.rows = 20}), "x9"), numbers(first, "x9"));
}

TEST(SimulatePaper, StandardizesASingleRowToZero) {
    const Table table = simulate_paper(5, {.rows = 1, .variant = Variant::literal, .truth = true});
    for (const char* name : {"y0", "y1", "y2", "best"}) EXPECT_EQ(numbers(table, name)[0], 0) << name;
}

TEST(ClinicSchema, NamesTheDosesInOrder) {
    EXPECT_EQ(clinic_schema().treatments, (std::vector<std::string>{"5 mg", "10 mg", "20 mg"}));
    EXPECT_EQ(clinic_schema().find("egfr")->unit, "mL/min/1.73m²");
}

TEST(ClinicSchema, DeclaresEveryColumnInItsOrderAndType) {
    const Schema schema = clinic_schema();
    const Table table = simulate_clinic({.rows = 1});
    ASSERT_EQ(schema.columns.size(), table.columns().size());
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
        EXPECT_EQ(schema.columns[c].name, table.columns()[c].name);
        EXPECT_EQ(schema.columns[c].type, table.columns()[c].type());
        const auto* column = std::get_if<CategoricalColumn>(&table.columns()[c].values);
        EXPECT_EQ(schema.columns[c].categories, column ? column->categories : std::vector<std::string>{});
    }
}

}  // namespace
}  // namespace polyrx
