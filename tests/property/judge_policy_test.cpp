// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/recommend/judge_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/value/bounded_value.hpp"

namespace polyrx {
namespace {

// Two treatments; treatment 1 lowers the outcome by `effect` x. Nuisances are the truth.
struct JudgedStudy {
    std::vector<double> x;
    std::vector<int> treatment;
    std::vector<double> outcome;
    Matrix outcomes;
    Matrix propensities;
    std::vector<TreatmentSet> supported;

    [[nodiscard]] EvaluatedRows rows() const { return {treatment, outcome, outcomes, propensities}; }
};

// Doctors give treatment 1 with this probability to a row.
template <class Propensity>
JudgedStudy judged_study(std::size_t rows, double effect, const Propensity& propensity, std::uint64_t seed) {
    Rng rng(seed, Draw::test, 11);
    JudgedStudy study;
    const auto count = static_cast<Eigen::Index>(rows);
    study.outcomes.resize(count, 2);
    study.propensities.resize(count, 2);
    for (Eigen::Index i = 0; i < count; ++i) {
        const double x = rng.normal();
        const double e = propensity(x);
        const int t = rng.bernoulli(e) ? 1 : 0;
        study.x.push_back(x);
        study.treatment.push_back(t);
        study.outcomes.row(i) << 0, -effect * x;
        study.propensities.row(i) << 1 - e, e;
        study.outcome.push_back(study.outcomes(i, t) + rng.normal());
        study.supported.push_back((1 - e >= 0.05 * e ? only(0) : 0) | (e >= 0.05 * (1 - e) ? only(1) : 0));
    }
    return study;
}

template <class Prescribe>
std::vector<int> prescribed(const JudgedStudy& study, const Prescribe& prescribe) {
    std::vector<int> result;
    for (const double x : study.x) result.push_back(prescribe(x));
    return result;
}

Judgment judge(const JudgedStudy& study, const std::vector<int>& policy, double margin = 0, bool with_rivals = true) {
    const EvaluatedRows rows = study.rows();
    std::vector<Rival> rivals;
    if (with_rivals)
        for (int k = 0; k < 2; ++k) rivals.push_back({"always", std::vector<int>(study.x.size(), k)});
    return judge_policy({rows, study.supported, outcome_range(study.outcome), false}, policy, rivals,
                        {.margin = margin});
}

double half(double) {
    return 0.5;
}

TEST(JudgePolicy, FindsAPolicyThatPersonalizesInATrial) {
    const JudgedStudy study = judged_study(1'000, 1, half, 1);
    const Judgment judged = judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; }));
    EXPECT_EQ(judged.answer, Judgment::Answer::better);
    EXPECT_GT(judged.gains.front().low, 0);
    EXPECT_EQ(judged.gains.front().least, judged.gains.front().most);
    // Only a gain above the margin counts.
    EXPECT_EQ(judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; }), 10).answer,
              Judgment::Answer::not_shown);
}

TEST(JudgePolicy, NamesTheMarginThatAGainIsNotShownToExceed) {
    const JudgedStudy study = judged_study(1'000, 1, half, 1);
    const std::vector<int> policy = prescribed(study, [](double x) { return x > 0 ? 1 : 0; });
    EXPECT_TRUE(words_of(judge(study, policy, 10))
                    .starts_with("is not shown to be better than current practice by more than 10 on held-out rows, "
                                 "gain 0."))
        << words_of(judge(study, policy, 10));
    EXPECT_TRUE(words_of(judge(study, policy, 0)).starts_with("is better than current practice on held-out rows"));
    const JudgedStudy nothing = judged_study(1'000, 0, half, 1);
    EXPECT_TRUE(words_of(judge(nothing, policy, 0, false))
                    .starts_with("is not shown to be better than current practice on held-out rows"))
        << words_of(judge(nothing, policy, 0, false));
}

TEST(JudgePolicy, SeldomCallsAPolicyBetterThatIsNot) {
    constexpr int draws = 400;
    int better = 0;
    for (int draw = 0; draw < draws; ++draw) {
        const JudgedStudy study = judged_study(300, 0, half, 100 + static_cast<std::uint64_t>(draw));
        better +=
            judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; })).answer == Judgment::Answer::better
                ? 1
                : 0;
    }
    EXPECT_LE(better, 20);  // 2.5 % of one side, shared by three comparisons
}

TEST(JudgePolicy, PrefersASimplePolicyThatIsBetterAndPracticeThatIsBest) {
    const JudgedStudy trial = judged_study(2'000, 1, half, 2);
    const Judgment worse = judge(trial, prescribed(trial, [](double x) { return x > 0 ? 0 : 1; }));
    EXPECT_EQ(worse.answer, Judgment::Answer::rival_better);  // one treatment for all is better than the opposite
    // Good doctors, and a policy that does the opposite where both treatments were given.
    const JudgedStudy ward = judged_study(4'000, 1, [](double x) { return x > 0 ? 0.85 : 0.15; }, 3);
    const Judgment against = judge(ward, prescribed(ward, [](double x) { return x > 0 ? 0 : 1; }));
    EXPECT_TRUE(against.answer == Judgment::Answer::practice_better ||
                against.answer == Judgment::Answer::rival_better);
    EXPECT_LT(against.gains.front().high, 0);
    // One treatment is better for all: a policy that gives the other is replaced by it.
    JudgedStudy shifted = judged_study(2'000, 0, [](double) { return 0.1; }, 4);
    for (std::size_t i = 0; i < shifted.x.size(); ++i) {
        shifted.outcomes(static_cast<Eigen::Index>(i), 1) -= 1;
        if (shifted.treatment[i] == 1) shifted.outcome[i] -= 1;
    }
    const Judgment replaced = judge(shifted, std::vector<int>(shifted.x.size(), 0));
    EXPECT_EQ(replaced.answer, Judgment::Answer::rival_better);
    EXPECT_EQ(replaced.preferred, std::size_t{1});
    EXPECT_GT(replaced.rival_gains[1].low, 0);
}

TEST(JudgePolicy, PrefersTheLargestLowerBoundWhereNothingIsShownToBeBetter) {
    int preferred = 0;
    for (std::uint64_t draw = 0; draw < 40; ++draw) {
        // No treatment does anything, and doctors give treatment 1 to x > 0, nearly always.
        const JudgedStudy ward = judged_study(400, 0, [](double x) { return x > 0 ? 0.9 : 0.1; }, 500 + draw);
        const std::vector<int> opposite = prescribed(ward, [](double x) { return x > 0 ? 0 : 1; });
        const EvaluatedRows rows = ward.rows();
        const std::vector<Rival> rivals = {{"always 0", std::vector<int>(ward.x.size(), 0)},
                                           {"as usual", prescribed(ward, [](double x) { return x > 0 ? 1 : 0; })}};
        const Judgment judged =
            judge_policy({rows, ward.supported, outcome_range(ward.outcome), false}, opposite, rivals);
        if (judged.answer == Judgment::Answer::better) continue;
        double largest = judged.gains.front().low;
        std::optional<std::size_t> best;
        for (std::size_t r = 0; r < rivals.size(); ++r)
            if (judged.rival_gains[r].low > largest) {
                largest = judged.rival_gains[r].low;
                best = r;
            }
        if (judged.answer == Judgment::Answer::not_shown) {
            EXPECT_EQ(judged.preferred, best) << draw;
        }
        // What is usual differs least from practice, and so it is known best.
        preferred += judged.preferred == std::size_t{1} ? 1 : 0;
    }
    EXPECT_GE(preferred, 36);
}

TEST(JudgePolicy, KeepsAPolicyThatIsBetterThanPracticeAlsoWhereARivalIsKnownBetter) {
    const JudgedStudy study = judged_study(1'000, 1, half, 8);
    const Judgment judged = judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; }));
    EXPECT_EQ(judged.answer, Judgment::Answer::better);
    EXPECT_FALSE(judged.preferred);
}

TEST(JudgePolicy, BoundsWhatIsNotSupported) {
    const JudgedStudy study = judged_study(2'000, 1, [](double x) { return x > 0 ? 0.999 : 0.001; }, 5);
    const Judgment judged = judge(study, std::vector<int>(study.x.size(), 1));
    EXPECT_LT(judged.gains.front().least, judged.gains.front().most);
    EXPECT_EQ(judged.answer, Judgment::Answer::not_shown);
    EXPECT_LT(judged.supported_share, 0.6);
}

TEST(JudgePolicy, SaysNothingFromTooFewRows) {
    const JudgedStudy study = judged_study(2'000, 1, [](double) { return 0.01; }, 6);
    const Judgment judged = judge(study, std::vector<int>(study.x.size(), 1));
    EXPECT_LT(judged.effective_rows, 30);
    EXPECT_EQ(judged.answer, Judgment::Answer::too_few_rows);
    EXPECT_EQ(judged.preferred, std::size_t{0});  // the treatment that nearly everybody received
}

TEST(JudgePolicy, PrefersARivalFromTooFewRowsOnlyWhereThereIsNoOther) {
    const JudgedStudy study = judged_study(300, 1, [](double) { return 0.06; }, 6);
    const EvaluatedRows rows = study.rows();
    const std::vector<int> policy(study.x.size(), 1);
    // Better than the policy, but it rests on the same few rows.
    const Rival suited{"suited", prescribed(study, [](double x) { return x > -1.5 ? 1 : 0; })};
    const Rival usual{"usual", std::vector<int>(study.x.size(), 0)};
    const JudgingRows judged_rows{rows, study.supported, outcome_range(study.outcome), false};

    const Judgment alone = judge_policy(judged_rows, policy, std::vector{suited});
    EXPECT_EQ(alone.answer, Judgment::Answer::too_few_rows);
    EXPECT_EQ(alone.preferred, std::size_t{0});
    EXPECT_TRUE(alone.rival_gains.front().too_few_rows);
    for (const Gain& gain : {alone.gains[0], alone.gains[1], alone.rival_gains[0]})
        EXPECT_EQ(words_of(gain), "too few rows") << gain.over;

    const Judgment with_usual = judge_policy(judged_rows, policy, std::vector{suited, usual});
    EXPECT_EQ(with_usual.preferred, std::size_t{1});
    EXPECT_FALSE(with_usual.rival_gains[1].too_few_rows);
}

TEST(JudgePolicy, TakesRowsThatRulesLeaveWithoutTreatmentAsTheyWere) {
    const JudgedStudy study = judged_study(500, 1, half, 7);
    const std::vector<int> none(study.x.size(), no_treatment);
    const Judgment judged = judge(study, none, 0, false);
    EXPECT_EQ(judged.gains.front().least, 0);
    EXPECT_EQ(judged.gains.front().most, 0);
    EXPECT_EQ(judged.answer, Judgment::Answer::not_shown);
}

}  // namespace
}  // namespace polyrx
