// SPDX-License-Identifier: Apache-2.0
// What is said of an evaluation.
#include "polyrx/evaluate/evaluation_text.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

namespace polyrx {
namespace {

// A policy that lowers the outcome from 0.5 to 0.3, with every prescription supported.
Evaluation better_policy() {
    Evaluation evaluation;
    evaluation.rows = 100;
    evaluation.propensity.known = true;
    evaluation.overlap.words = "supported";
    evaluation.as_treated.estimate.value = 0.5;
    SupportedValue& supported = evaluation.supported;
    supported.value.estimate.lower.value = 0.3;
    supported.value.estimate.upper.value = 0.3;
    supported.gain_where_supported.estimate.value = -0.2;
    supported.sensitivity.lambda = 1.8;
    return evaluation;
}

EvaluationNames names(bool larger_is_better = false) {
    EvaluationNames result;
    result.outcome = "y";
    result.larger_is_better = larger_is_better;
    return result;
}

bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST(EvaluationText, LargeValuesAreInFullAndRoundingErrorsAreZero) {
    Evaluation evaluation = better_policy();
    evaluation.as_treated.estimate.value = 24'080.25;
    evaluation.supported.value.estimate.lower.value = evaluation.supported.value.estimate.upper.value = 24'080.25;
    evaluation.supported.range = {.least = 0, .greatest = 30'000};
    ComparedValue same;
    same.name = "the same";
    same.difference.estimate.lower.value = same.difference.estimate.upper.value = 1.7e-17;
    evaluation.compared.push_back(same);
    const std::string text = evaluation_text(evaluation, names());
    EXPECT_TRUE(has(text, "y is 24,080 against 24,080 as treated"));
    EXPECT_TRUE(has(text.substr(text.find("the same")), "  0\n"));
    EXPECT_FALSE(has(text, "e-17") || has(text, "e+04")) << text;
}

TEST(Headline, NamesTheVerdictWheneverItIsNotSupported) {
    Evaluation evaluation = better_policy();
    EXPECT_TRUE(headline_sentence(evaluation, names()).ends_with("y is 0.3 against 0.5 as treated; Lambda* 1.80."));
    evaluation.overlap.verdict = OverlapVerdict::weak;
    evaluation.overlap.words = "weak overlap: estimated propensities are too high where they are low";
    EXPECT_TRUE(has(headline_sentence(evaluation, names()), "as treated; weak overlap: estimated propensities"));
    evaluation.overlap.verdict = OverlapVerdict::supported;
    evaluation.overlap.words = "supported: all but 0.5 % of prescriptions; these are bounded";
    evaluation.overlap.unsupported = 1;
    EXPECT_TRUE(has(headline_sentence(evaluation, names()), "as treated; supported: all but 0.5 %"));
}

TEST(Headline, HasALambdaJustWhereTheReportSaysThatAGainCouldBeUndone) {
    Evaluation evaluation = better_policy();
    EXPECT_TRUE(has(evaluation_text(evaluation, names()), "changes the odds of treatment by 1.80 would undo the gain"));
    for (const double lambda : {0.0, 1.0, 1.8, 5'000.0, infinity})
        for (const double gain : {-0.2, 0.0, 0.2})
            for (const bool larger : {false, true}) {
                evaluation.supported.sensitivity.lambda = lambda;
                evaluation.supported.gain_where_supported.estimate.value = gain;
                EXPECT_EQ(has(headline_sentence(evaluation, names(larger)), "Lambda*"),
                          !has(evaluation_text(evaluation, names(larger)), "there is no gain over practice"))
                    << lambda << " " << gain << " " << larger;
            }
}

TEST(Headline, NeverSaysInfinity) {
    Evaluation evaluation = better_policy();
    Sensitivity& sensitivity = evaluation.supported.sensitivity;
    sensitivity = {infinity, 2.5, infinity};
    EXPECT_TRUE(headline_sentence(evaluation, names()).ends_with("; Lambda* above 1,000."));
    const std::string text = evaluation_text(evaluation, names());
    EXPECT_TRUE(has(text, "no unrecorded factor could undo the gain where supported"));
    EXPECT_TRUE(has(text, "(Lambda* above 1,000 [2.50, above 1,000])"));
    EXPECT_FALSE(has(text, "inf"));
    sensitivity.lambda = 4.25;
    EXPECT_TRUE(has(evaluation_text(evaluation, names()), "by 4.25 [2.50, above 1,000] would undo"));
}

TEST(EvaluationText, SaysWhenTheTippingPointIsImpossible) {
    Evaluation evaluation = better_policy();
    evaluation.overlap.unsupported = 4;
    evaluation.supported.range = {0, 1, RangeOrigin::events};
    evaluation.supported.tipping_point = TippingPoint{0.375, 0.1, 0, 0.25};
    EXPECT_TRUE(has(evaluation_text(evaluation, names()),
                    "if the 4 unsupported rows have a mean y of 0.375 under it (now 0.1): impossible, that mean is "
                    "between 0 and 0.25.\n"));
    evaluation.supported.tipping_point->outcome = 0.2;
    EXPECT_TRUE(has(evaluation_text(evaluation, names()), "a mean y of 0.2 under it (now 0.1).\n"));
}

TEST(EvaluationJson, RepeatsTheRecommendationOfTheModel) {
    const Evaluation evaluation = better_policy();
    EvaluationNames with = names();
    EXPECT_TRUE(has(evaluation_json(evaluation, with), "\"recommended\": null,\n  \"recommendation\": null"));
    with.recommended = false;
    with.recommendation = "NOT recommended: the tree.";
    EXPECT_TRUE(has(evaluation_json(evaluation, with),
                    "\"recommended\": false,\n  \"recommendation\": \"NOT recommended: the tree.\""));
}

}  // namespace
}  // namespace polyrx
