// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/split_words.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "polyrx/core/error.hpp"
#include "tests/support/shown_trees.hpp"

namespace polyrx {
namespace {

using test::clinic_policy;
using test::cut;
using test::domain_for;

const Encoder clinic_encoder = clinic_policy().encoder;
const Domain everybody = domain_for(clinic_encoder);

AffineFunction sum(const std::map<Eigen::Index, double>& weights, double constant) {
    AffineFunction function{Vector::Zero(everybody.inputs()), constant};
    for (const auto& [input, weight] : weights) function.weights[input] = weight;
    return function;
}

std::string words(const AffineFunction& function, const WordOptions& options = {}) {
    return words_of(function, clinic_encoder, everybody, options);
}

TEST(SplitWords, SayANumberWithItsUnit) {
    EXPECT_EQ(words(sum({{2, 0.5}}, -31.6)), "weight > 63.2 kg");
    EXPECT_EQ(words(sum({{2, -0.5}}, 31.6)), "weight < 63.2 kg");
    EXPECT_EQ(words(cut(everybody, 3, 59.12345)), "egfr > 59.12 mL/min/1.73m²");
}

TEST(SplitWords, RoundAWholeNumberToTheOneThatIsMeant) {
    EXPECT_EQ(words(cut(everybody, 0, 63.2)), "age >= 64 years");
    EXPECT_EQ(words(cut(everybody, 0, 63.2, -1)), "age <= 63 years");
    EXPECT_EQ(words(cut(everybody, 0, 63)), "age >= 64 years");
    EXPECT_EQ(words(cut(everybody, 0, 63, -1)), "age <= 62 years");
    EXPECT_EQ(words(sum({{10, 3}}, -0.9)), "children >= 1");
    EXPECT_EQ(words(sum({{10, -3}}, 0.9)), "children <= 0");
}

TEST(SplitWords, SayYesAndNoWithoutANumber) {
    EXPECT_EQ(words(sum({{6, 2}}, -1.5)), "smoker");
    EXPECT_EQ(words(sum({{6, -2}}, 1.5)), "not smoker");
    EXPECT_EQ(words(sum({{1, 1}}, -0.5)), "age is missing");
    EXPECT_EQ(words(sum({{1, -1}}, 0.5)), "age is not missing");
    EXPECT_EQ(words(sum({{11, 1}}, -0.5)), "diabetes = 1");
    EXPECT_EQ(words(sum({{11, -1}}, 0.5)), "diabetes = 0");
}

TEST(SplitWords, NameTheCategoriesOfAGroup) {
    EXPECT_EQ(words(sum({{4, 1}}, -0.5)), "sex is F");
    EXPECT_EQ(words(sum({{4, -1}}, 0.5)), "sex is M");  // the only other one
    EXPECT_EQ(words(sum({{4, 0.7}, {5, -0.7}}, 0)), "sex is F");
    EXPECT_EQ(words(sum({{7, -1}}, 0.5)), "metabolizer is not poor");
    EXPECT_EQ(words(sum({{7, 3}, {8, 1}, {9, -2}}, -2)), "metabolizer is poor");
}

TEST(SplitWords, ListManyCategoriesUpToTheNumberOfTerms) {
    Feature stage = test::choice("stage", {"I", "II", "III", "IV", "V"});
    stage.indicator = true;
    const Encoder encoder({stage});
    const Domain domain = domain_for(encoder);
    const auto said = [&](std::vector<double> weights, std::size_t most = 0) {
        const AffineFunction function{Eigen::Map<Vector>(weights.data(), 6), -0.5};
        return words_of(function, encoder, domain, {.max_terms = most, .scaled = {}});
    };
    EXPECT_EQ(said({1, 0, 0, 0, 0, 1}), "stage is I or missing");
    EXPECT_EQ(said({1, 1, 0, 0, 0, 1}), "stage is I, II or missing");
    EXPECT_EQ(said({1, 1, 1, 1, 0, 0}), "stage is neither V nor missing");
    EXPECT_EQ(said({1, 1, 1, 1, 1, 0}), "stage is not missing");
    EXPECT_EQ(said({1, 1, 0, 0, 0, 1}, 2), "stage is I, II, ... (+1)");
    EXPECT_EQ(said({1, 1, 1, 1, 1, 1}), "always");
}

TEST(SplitWords, AdmitThatTheDomainSettlesTheQuestion) {
    EXPECT_EQ(words(sum({}, 1)), "always");
    EXPECT_EQ(words(sum({}, 0)), "never");
    EXPECT_EQ(words(sum({{6, 1}}, 0.5)), "always");
    EXPECT_EQ(words(sum({{4, 1}}, -2)), "never");
    Domain women = everybody;
    women.upper[5] = 0;
    EXPECT_EQ(words_of(sum({{4, 1}}, -0.5), clinic_encoder, women), "always");
    EXPECT_EQ(words_of(sum({{2, 1}, {4, 10}}, -70), clinic_encoder, women), "weight > 60 kg");
}

TEST(SplitWords, PutTheTermWithTheLargestEffectFirst) {
    // 0.02 * 110 kg is more than 0.5 * [0, 1], and less than 0.04 * 72 years.
    EXPECT_EQ(words(sum({{0, 0.04}, {2, 0.02}, {6, 0.5}}, -3)), "age + 0.5 weight + 12.5 smoker > 75");
    EXPECT_EQ(words(sum({{0, -0.04}, {2, 0.02}, {6, 0.5}}, 3)), "age - 0.5 weight - 12.5 smoker < 75");
}

TEST(SplitWords, MeasureInTheUnitsOfAQuantityEvenIfACategoryCountsMore) {
    EXPECT_EQ(words(sum({{7, 5}, {2, -0.02}}, 1)), "-250 [metabolizer is poor] + weight < 50");
    EXPECT_EQ(words(sum({{6, 1}, {11, -0.5}}, 0)), "smoker - 0.5 diabetes > 0");
    EXPECT_EQ(words(sum({{6, 500}, {2, 0.02}}, -100)), "smoker + 0.00004 weight > 0.2");
}

TEST(SplitWords, SpareOneCategoryOfEveryGroup) {
    EXPECT_EQ(words(sum({{2, 1}, {4, 5}, {5, -3}}, -70)), "weight + 8 [sex is F] > 73");
    EXPECT_EQ(words(sum({{2, 1}, {7, 4}, {8, 4}, {9, 6}}, -70)), "weight + 2 [metabolizer is normal] > 66");
}

TEST(SplitWords, ShortenLongSums) {
    const AffineFunction function = sum({{0, 1}, {2, 0.5}, {3, 0.1}, {6, 2}, {10, 0.1}}, -60);
    EXPECT_EQ(words(function, {.max_terms = 2, .scaled = {}}), "age + 0.5 weight ... (+3 terms) > 60");
    EXPECT_EQ(words(function, {.max_terms = 4, .scaled = {}}),
              "age + 0.5 weight + 0.1 egfr + 2 smoker ... (+1 term) > 60");
    EXPECT_EQ(words(function, {.max_terms = 5, .scaled = {}}), words(function));
    // The units are of a term that is shown.
    EXPECT_EQ(words(sum({{6, 4}, {11, 2}, {2, 0.01}}, 0), {.max_terms = 2, .scaled = {}}),
              "smoker + 0.5 diabetes ... (+1 term) > 0");
}

TEST(SplitWords, ShowStandardizedInputsInDeviationsFromTheMean) {
    Scaling scaling{Vector::Zero(everybody.inputs()), Vector::Ones(everybody.inputs())};
    scaling.shift[0] = 60;
    scaling.scale[0] = 10;
    scaling.shift[2] = 80;
    scaling.scale[2] = 20;
    const WordOptions scaled{.max_terms = 0, .scaled = scaling};
    EXPECT_EQ(words(cut(everybody, 0, 65), scaled), "z(age) > 0.5");
    EXPECT_EQ(words(sum({{0, 1}, {2, -0.25}, {6, 5}}, -45), scaled), "z(age) - 0.5 z(weight) + 0.5 smoker > 0.5");
    EXPECT_EQ(words(sum({{6, 2}}, -1.5), scaled), "smoker");
    EXPECT_EQ(words(cut(everybody, 3, 60), scaled), "egfr > 60 mL/min/1.73m²");  // not scaled
}

TEST(SplitWords, FallBackOnTheTrainingRowsWhereTheDomainIsInfinite) {
    Domain endless = everybody;
    endless.upper[2] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(words_of(sum({{0, 1}, {2, 0.1}}, -60), clinic_encoder, endless), "age + 0.1 weight > 60");
}

TEST(SplitWords, RefuseWhatBelongsToAnotherPolicy) {
    const AffineFunction short_one{Vector::Ones(3), 0};
    try {
        (void)words(short_one);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the split has 3 inputs, but the policy has 12");
    }
}

TEST(SplitWords, TellWhereASplitComesFrom) {
    const Policy policy = clinic_policy();
    EXPECT_EQ(origin_words({SplitOrigin::Kind::neuron, 0, 2}, policy), "neuron 3 of layer 1");
    EXPECT_EQ(origin_words({SplitOrigin::Kind::outcomes, 0, 2}, policy), "5 mg against 20 mg");
    EXPECT_EQ(origin_words({SplitOrigin::Kind::cut, 4, 0}, policy), "a cut of sex = F");
}

TEST(ShownNumber, HasTheDigitsThatItTakesAndNoMore) {
    EXPECT_EQ(shown_number(63.2, 4), "63.2");
    EXPECT_EQ(shown_number(1234567.8, 4), "1234568");
    EXPECT_EQ(shown_number(0.00123456, 4), "0.001235");
    EXPECT_EQ(shown_number(1.5e-9, 4), "1.5e-09");
    EXPECT_EQ(shown_number(2019.347, 4, 0.01), "2019.35");
    EXPECT_EQ(shown_number(-0.0, 4), "0");
    EXPECT_EQ(shown_number(100, 4), "100");
}

}  // namespace
}  // namespace polyrx
