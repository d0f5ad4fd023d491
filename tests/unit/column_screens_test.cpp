// SPDX-License-Identifier: Apache-2.0
// Likely mistakes are pointed out, and studies without any are left alone.
#include "polyrx/study/column_screens.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::texts;

std::vector<double> counting(std::size_t rows, double first, double step) {
    std::vector<double> values(rows);
    for (std::size_t i = 0; i < rows; ++i) values[i] = first + step * static_cast<double>(i);
    return values;
}

Column different_texts(std::size_t rows, std::size_t values) {
    std::vector<std::string> categories;
    std::vector<std::int32_t> codes;
    for (std::size_t v = 0; v < values; ++v) categories.push_back("patient " + std::to_string(v));
    for (std::size_t i = 0; i < rows; ++i) codes.push_back(static_cast<std::int32_t>(i % values));
    return texts("id", categories, codes);
}

TEST(LooksLikeIdentifier, TextsThatAreAlmostAllDifferentAndNumbersThatCountUp) {
    EXPECT_TRUE(looks_like_identifier(different_texts(100, 100)));
    EXPECT_TRUE(looks_like_identifier(different_texts(100, 95)));
    EXPECT_FALSE(looks_like_identifier(different_texts(100, 50)));
    EXPECT_FALSE(looks_like_identifier(different_texts(10, 10)));  // too few to tell
    EXPECT_TRUE(looks_like_identifier(numbers("id", counting(100, 1, 1))));
    EXPECT_TRUE(looks_like_identifier(numbers("id", counting(100, 1000, 10))));
    EXPECT_FALSE(looks_like_identifier(numbers("id", counting(10, 1, 1))));
    EXPECT_FALSE(looks_like_identifier(numbers("x", counting(100, 1, -1))));
    EXPECT_FALSE(looks_like_identifier(numbers("x", counting(100, 0.5, 1))));
    std::vector<double> gaps = counting(100, 1, 1);
    for (std::size_t i = 50; i < 100; ++i) gaps[i] += 7;  // rows 51 to 57 were left out
    EXPECT_TRUE(looks_like_identifier(numbers("id", gaps)));
    std::vector<double> ties = counting(100, 1, 1);
    ties[50] = ties[49];
    EXPECT_FALSE(looks_like_identifier(numbers("age", ties)));
}

Table table_with_identifiers() {
    std::vector<double> treatment;
    std::vector<double> outcome;
    Rng rng(1, Draw::test);
    for (int i = 0; i < 100; ++i) {
        treatment.push_back(i % 2);
        outcome.push_back(rng.normal());
    }
    return Table({numbers("row", counting(100, 1, 1)), different_texts(100, 100), numbers("x", outcome),
                  numbers("t", treatment), numbers("y", counting(100, 0, 1))});
}

TEST(Observe, LeavesIdentifiersOutWithANote) {
    const Observations seen = observe(table_with_identifiers(), {.treatment = "t", .outcome = "y"});
    ASSERT_EQ(seen.features.columns().size(), 1U);
    EXPECT_EQ(seen.features.columns().front().name, "x");
    ASSERT_EQ(seen.notes.size(), 2U);
    EXPECT_EQ(seen.notes[0],
              "column 'row' looks like an identifier and is left out; name it in --features if it is a feature");
}

TEST(Observe, KeepsIdentifiersThatAreNamedOrDeclared) {
    EXPECT_EQ(observe(table_with_identifiers(), {.treatment = "t", .outcome = "y", .features = {"row", "x"}})
                  .features.columns()
                  .size(),
              2U);
    Schema schema;
    schema.columns = {{.name = "row", .type = ColumnType::numeric}};
    EXPECT_NE(observe(table_with_identifiers(), {.treatment = "t", .outcome = "y"}, schema).features.find("row"),
              nullptr);
}

struct Leaks {
    std::vector<double> treatment;
    std::vector<double> outcome;
    std::vector<double> noise;

    explicit Leaks(bool binary) {
        Rng rng(2, Draw::test);
        for (int i = 0; i < 400; ++i) {
            treatment.push_back(static_cast<double>(rng.below(2)));
            outcome.push_back(binary ? static_cast<double>(rng.below(2)) : std::exp(rng.normal()));
            noise.push_back(rng.normal());
        }
    }

    [[nodiscard]] std::vector<std::string> with(const std::vector<double>& feature) const {
        const Table table({numbers("x", feature), numbers("t", treatment), numbers("y", outcome)});
        return suspicious_features(observe(table, {.treatment = "t", .outcome = "y"}));
    }
};

TEST(SuspiciousFeatures, PointsOutLeaksOfTheOutcome) {
    for (const bool binary : {false, true}) {
        const Leaks study(binary);
        std::vector<double> scaled;
        std::vector<double> noisy;
        for (std::size_t i = 0; i < 400; ++i) {
            scaled.push_back(3 - 2 * study.outcome[i]);
            noisy.push_back(study.outcome[i] + study.noise[i]);
        }
        const std::vector<std::string> found = study.with(scaled);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_NE(found[0].find("column 'x' alone explains 100.0 % of the variance of the outcome"), std::string::npos);
        EXPECT_TRUE(study.with(noisy).empty());
        EXPECT_TRUE(study.with(study.noise).empty());
    }
}

TEST(SuspiciousFeatures, PointsOutCopiesOfTheTreatment) {
    const Leaks study(false);
    std::vector<double> copied;
    std::vector<double> threshold;
    std::vector<double> often;
    for (std::size_t i = 0; i < 400; ++i) {
        copied.push_back(7 * study.treatment[i]);
        threshold.push_back(study.treatment[i] + 0.9 * std::abs(std::sin(static_cast<double>(i))));
        often.push_back(i % 10 == 0 ? 1 - study.treatment[i] : study.treatment[i]);
    }
    for (const auto* feature : {&copied, &threshold}) {
        const std::vector<std::string> found = study.with(*feature);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_NE(found[0].find("column 'x' alone predicts the treatment of almost every row"), std::string::npos);
    }
    EXPECT_TRUE(study.with(often).empty());
}

TEST(SuspiciousFeatures, SayNothingOfTheStudiesOfThePaperAndTheClinic) {
    for (int dataset = 1; dataset <= 6; ++dataset) {
        const Observations study =
            observe(simulate_paper(dataset, {.rows = 2000}), {.treatment = "treatment", .outcome = "outcome"});
        EXPECT_TRUE(suspicious_features(study).empty()) << dataset;
        for (const std::string& note : study.notes) EXPECT_EQ(note.find("identifier"), std::string::npos) << note;
    }
    EXPECT_TRUE(suspicious_features(observe(simulate_clinic({.rows = 2000}),
                                            {.treatment = "treatment", .outcome = "outcome"}, clinic_schema()))
                    .empty());
}

}  // namespace
}  // namespace polyrx
