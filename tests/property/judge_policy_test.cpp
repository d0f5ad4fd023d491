// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/judge_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/bounded_value.hpp"

namespace polyrx {
namespace {

// Two treatments; treatment 1 lowers the outcome by `effect` x. Nuisances are the truth.
struct Study {
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
Study make(std::size_t rows, double effect, const Propensity& propensity, std::uint64_t seed) {
    Rng rng(seed, Draw::test, 11);
    Study study;
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
std::vector<int> prescribed(const Study& study, const Prescribe& prescribe) {
    std::vector<int> result;
    for (const double x : study.x) result.push_back(prescribe(x));
    return result;
}

Judgement judge(const Study& study, const std::vector<int>& policy, double margin = 0, bool with_rivals = true) {
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

TEST(JudgePolicy, FindsAPolicyThatPersonalisesInATrial) {
    const Study study = make(1'000, 1, half, 1);
    const Judgement judged = judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; }));
    EXPECT_EQ(judged.answer, Judgement::Answer::better);
    EXPECT_GT(judged.gains.front().low, 0);
    EXPECT_EQ(judged.gains.front().least, judged.gains.front().most);
    // Only a gain above the margin counts.
    EXPECT_EQ(judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; }), 10).answer,
              Judgement::Answer::not_shown);
}

TEST(JudgePolicy, SeldomCallsAPolicyBetterThatIsNot) {
    constexpr int draws = 400;
    int better = 0;
    for (int draw = 0; draw < draws; ++draw) {
        const Study study = make(300, 0, half, 100 + static_cast<std::uint64_t>(draw));
        better +=
            judge(study, prescribed(study, [](double x) { return x > 0 ? 1 : 0; })).answer == Judgement::Answer::better
                ? 1
                : 0;
    }
    EXPECT_LE(better, 20);  // 2.5 % of one side, shared by three comparisons
}

TEST(JudgePolicy, PrefersASimplePolicyThatIsBetterAndPracticeThatIsBest) {
    const Study trial = make(2'000, 1, half, 2);
    const Judgement worse = judge(trial, prescribed(trial, [](double x) { return x > 0 ? 0 : 1; }));
    EXPECT_EQ(worse.answer, Judgement::Answer::rival_better);  // one treatment for all is better than the opposite
    // Good doctors, and a policy that does the opposite where both treatments were given.
    const Study ward = make(4'000, 1, [](double x) { return x > 0 ? 0.85 : 0.15; }, 3);
    const Judgement against = judge(ward, prescribed(ward, [](double x) { return x > 0 ? 0 : 1; }));
    EXPECT_EQ(against.answer, Judgement::Answer::practice_better);
    // One treatment is better for all: a policy that gives the other is replaced by it.
    Study shifted = make(2'000, 0, [](double) { return 0.1; }, 4);
    for (std::size_t i = 0; i < shifted.x.size(); ++i) {
        shifted.outcomes(static_cast<Eigen::Index>(i), 1) -= 1;
        if (shifted.treatment[i] == 1) shifted.outcome[i] -= 1;
    }
    const Judgement replaced = judge(shifted, std::vector<int>(shifted.x.size(), 0));
    EXPECT_EQ(replaced.answer, Judgement::Answer::rival_better);
    EXPECT_EQ(replaced.rival, std::size_t{1});
    EXPECT_GT(replaced.of_rival.low, 0);
}

TEST(JudgePolicy, BoundsWhatIsNotSupported) {
    const Study study = make(2'000, 1, [](double x) { return x > 0 ? 0.999 : 0.001; }, 5);
    const Judgement judged = judge(study, std::vector<int>(study.x.size(), 1));
    EXPECT_LT(judged.gains.front().least, judged.gains.front().most);
    EXPECT_EQ(judged.answer, Judgement::Answer::not_shown);
    EXPECT_LT(judged.supported_share, 0.6);
}

TEST(JudgePolicy, SaysNothingFromTooFewRows) {
    const Study study = make(2'000, 1, [](double) { return 0.01; }, 6);
    const Judgement judged = judge(study, std::vector<int>(study.x.size(), 1));
    EXPECT_LT(judged.effective_rows, 30);
    EXPECT_EQ(judged.answer, Judgement::Answer::too_few_rows);
}

TEST(JudgePolicy, TakesRowsThatRulesLeaveWithoutTreatmentAsTheyWere) {
    const Study study = make(500, 1, half, 7);
    const std::vector<int> none(study.x.size(), no_treatment);
    const Judgement judged = judge(study, none, 0, false);
    EXPECT_EQ(judged.gains.front().least, 0);
    EXPECT_EQ(judged.gains.front().most, 0);
    EXPECT_EQ(judged.answer, Judgement::Answer::not_shown);
}

}  // namespace
}  // namespace polyrx
