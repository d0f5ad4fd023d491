// SPDX-License-Identifier: Apache-2.0
// Choosing settings: by what criterion, from what rows, and that neither threads nor the clock have a say.
#include "polyrx/fit/tune/tune_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/fit/learn/learn_average.hpp"
#include "polyrx/fit/learn/received_propensities.hpp"
#include "polyrx/statistics/few_groups.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {
namespace {

// A cohort, encoded, with the study that refers to it.
struct Cohort {
    Observations observations;
    Encoder encoder;
    Matrix encoded;
    FeatureRows features;

    explicit Cohort(std::size_t rows, std::uint64_t seed = 1)
        : observations(observe(simulate_clinic({.rows = rows, .seed = seed}),
                               {.treatment = "treatment", .outcome = "outcome"}, clinic_schema())),
          encoder(make_encoder(observations.features, clinic_schema())),
          encoded(encoder.encode(observations.features)),
          features(feature_rows(encoder, observations.features)) {}

    [[nodiscard]] NetworkStudy study() const {
        return {observations, encoder, encoded, features, observations.outcome};
    }
};

NetworkOptions small_network(std::vector<int> hidden, double shrinkage = 0) {
    NetworkOptions options;
    options.hidden = std::move(hidden);
    options.epochs = 4;
    options.effect_shrinkage = shrinkage;
    return options;
}

std::vector<NetworkOptions> some_candidates() {
    return {small_network({6}),      small_network({8, 4}),  small_network({}), small_network({5}, 10),
            small_network({4}, 100), small_network({10}, 1), small_network({3})};
}

TEST(TuneNetwork, TakesOneCandidateUntriedSoThatTheFitIsThatOfItAlone) {
    const Cohort cohort(200);
    for (const double balance : {0.0, 10.0}) {
        FitOptions plain;
        plain.network = small_network({7}, 3);
        plain.network.balance = balance;
        FitOptions tuned = plain;
        tuned.tuning = TuningPlan{{plain.network}};
        EXPECT_EQ(fit(cohort.observations, tuned, clinic_schema()).policy.network,
                  fit(cohort.observations, plain, clinic_schema()).policy.network);
    }
}

TEST(TuneNetwork, KnowsTheSharesOfTreatmentsThatWereDrawnByLot) {
    const Cohort drawn(600);
    Cohort cohort = drawn;
    Rng rng(7, Draw::test);
    for (int& treatment : cohort.observations.treatment)
        treatment = rng.bernoulli(0.2) ? 2 : rng.bernoulli(0.5) ? 1 : 0;
    const std::vector<double> received = received_propensities(cohort.study(), 1, 2);
    EXPECT_EQ(received, received_propensities(cohort.study(), 1, 1));
    double rare = 0;
    double count = 0;
    for (std::size_t i = 0; i < received.size(); ++i) {
        EXPECT_GT(received[i], 0);
        EXPECT_LT(received[i], 1);
        if (cohort.observations.treatment[i] != 2) continue;
        rare += received[i];
        ++count;
    }
    EXPECT_NEAR(rare / count, 0.2, 0.05);
}

TEST(TuneNetwork, ChoosesTheSameForAnyNumberOfThreads) {
    const Cohort cohort(240);
    const Tuning one = tune_network(cohort.study(), some_candidates(), {}, {}, 3, 1);
    for (const int threads : {2, 4}) {
        const Tuning other = tune_network(cohort.study(), some_candidates(), {}, {}, 3, threads);
        EXPECT_EQ(other.chosen, one.chosen);
        EXPECT_EQ(tuning_log(other), tuning_log(one));
    }
    EXPECT_EQ(one.chosen.size(), TuningOptions{}.averaged);
    const LearnedNetwork alone = learn_average(cohort.study(), every_row(240), one.chosen, 3, 1);
    EXPECT_EQ(alone.network, learn_average(cohort.study(), every_row(240), one.chosen, 3, 4).network);
}

// The same, with some of its neurons for effects.
NetworkOptions with_effects(NetworkOptions options) {
    options.effects = {0.5, 0.5};
    return options;
}

std::size_t chosen_with_effects(const Tuning& tuning) {
    return static_cast<std::size_t>(
        std::ranges::count_if(tuning.chosen, [](const NetworkOptions& each) { return each.effects.wanted(); }));
}

TEST(TuneNetwork, PrefersNeuronsForEffectsUnlessOthersAreBetterByMoreThanAStandardError) {
    const Cohort cohort(240);
    std::size_t preferred_all_the_same = 0;
    std::size_t others = 0;
    for (const int epochs : {4, 8, 12, 16, 20, 25, 30, 100}) {
        NetworkOptions other = small_network({8});
        other.epochs = epochs;
        const Tuning tuning = tune_network(cohort.study(), {with_effects(small_network({8})), other, small_network({})},
                                           {}, {.averaged = 4}, 3, 2);
        ASSERT_EQ(tuning.chosen.size(), 4U);
        const bool other_predicts_better = *tuning.trials[1].loss < *tuning.trials[0].loss;
        if (chosen_with_effects(tuning) == 4)
            preferred_all_the_same += other_predicts_better ? 1 : 0;
        else
            ++others;
        EXPECT_TRUE(chosen_with_effects(tuning) == 4 || chosen_with_effects(tuning) == 0) << "they are not mixed";
        EXPECT_TRUE(other_predicts_better || chosen_with_effects(tuning) == 4);
    }
    EXPECT_GT(preferred_all_the_same, 0U);
    EXPECT_GT(others, 0U);
}

TEST(TuneNetwork, TakesOthersWhereAllWithNeuronsForEffectsDiverge) {
    const Cohort cohort(200);
    NetworkOptions diverging = with_effects(small_network({6}));
    diverging.learning_rate = 1e30;
    diverging.retries = 0;
    const Tuning tuning = tune_network(cohort.study(), {diverging, small_network({4})}, {}, {.averaged = 3}, 1, 2);
    EXPECT_EQ(tuning.chosen, std::vector(3, small_network({4})));
}

TEST(TuneNetwork, TakesOthersWhereAllWithNeuronsForEffectsDivergeOnALaterFold) {
    // Steps this large end in numbers that are no floats, unless all neurons of a layer happen to die first.
    const Cohort cohort(100);
    NetworkOptions diverging = with_effects(small_network({2, 2}));
    diverging.learning_rate = 30;
    diverging.retries = 0;
    std::size_t later = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Tuning tuning =
            tune_network(cohort.study(), {diverging, small_network({4})}, {}, {.averaged = 3}, seed, 1);
        if (tuning.trials[0].remark.empty()) continue;
        EXPECT_FALSE(tuning.trials[0].loss);
        EXPECT_EQ(tuning.chosen, std::vector(3, small_network({4})));
        later += tuning.trials[0].folds > 0 ? 1 : 0;
    }
    EXPECT_GT(later, 0U);
}

TEST(TuneNetwork, TakesOneWithoutBalanceUntriedWhereRowsAreTooFew) {
    const Cohort few(14);
    NetworkOptions balanced = small_network({6});
    balanced.balance = 10;
    EXPECT_EQ(tune_network(few.study(), {balanced, small_network({5}), small_network({4})}, {}, {}, 1, 1).chosen,
              std::vector{small_network({5})});
    NetworkOptions more = balanced;
    more.hidden = {3};
    EXPECT_EQ(tune_network(few.study(), {balanced, more}, {}, {}, 1, 1).chosen, std::vector{balanced});
}

TEST(TuneNetwork, TriesAllOnOneFoldAndTheBestOnAll) {
    const Cohort cohort(240);
    const Tuning tuning = tune_network(cohort.study(), some_candidates(), {}, {}, 1, 2);
    std::size_t on_all = 0;
    for (const TuningTrial& trial : tuning.trials) {
        EXPECT_GE(trial.folds, 1U);
        ASSERT_TRUE(trial.loss);
        on_all += trial.folds == 5 ? 1 : 0;
        EXPECT_TRUE(trial.chosen == 0 || trial.folds == 5);
    }
    EXPECT_GE(on_all, 1U);
    EXPECT_FALSE(tuning.out_of_time);
}

TEST(TuneNetwork, GoesOnWithoutACandidateThatDiverges) {
    const Cohort cohort(200);
    std::vector<NetworkOptions> candidates = {small_network({6}), small_network({4})};
    candidates.front().learning_rate = 1e30;
    candidates.front().retries = 0;
    const Tuning tuning = tune_network(cohort.study(), candidates, {}, {}, 1, 2);
    EXPECT_EQ(tuning.trials.front().remark, "diverged");
    EXPECT_FALSE(tuning.trials.front().loss);
    for (const NetworkOptions& chosen : tuning.chosen) EXPECT_EQ(chosen, candidates.back());
}

TEST(TuneNetwork, TakesTheFirstCandidateWhereTimeOrRowsAreTooFew) {
    const Cohort cohort(200);
    const Tuning late = tune_network(cohort.study(), some_candidates(), {}, {.max_seconds = 1e-9}, 1, 2);
    EXPECT_TRUE(late.out_of_time);
    EXPECT_EQ(late.chosen, std::vector{some_candidates().front()});
    const Cohort few(14);
    const Tuning untried = tune_network(few.study(), some_candidates(), {}, {}, 1, 1);
    EXPECT_EQ(untried.why_untried, "too few rows of a treatment");
    EXPECT_EQ(untried.chosen, std::vector{some_candidates().front()});
}

// One event in 200 rows: outside of its fold there is nothing to learn, nor of what a bag or --validation leaves of it.
TEST(TuneNetwork, TakesACandidateUntriedWhereAFoldLeavesOneOutcome) {
    Cohort cohort(200);
    std::ranges::fill(cohort.observations.outcome, 0);
    cohort.observations.outcome[17] = 1;
    std::vector<NetworkOptions> candidates = some_candidates();
    candidates.front().balance = 10;
    const Tuning untried = tune_network(cohort.study(), candidates, {}, {}, 1, 2);
    EXPECT_EQ(untried.why_untried, "too few rows with another outcome");
    EXPECT_EQ(untried.chosen, std::vector{candidates[1]});
    for (NetworkOptions& candidate : candidates) candidate.bagged = true;
    cohort.observations.outcome[18] = 1;
    EXPECT_NO_THROW((void)tune_network(cohort.study(), candidates, {}, {}, 1, 2));
    for (NetworkOptions& candidate : candidates) candidate.bagged = false;
    FitOptions tuned;
    tuned.tuning = TuningPlan{candidates};
    EXPECT_NO_THROW((void)fit(cohort.observations, tuned, clinic_schema()));
}

TEST(TuneNetwork, StopsInTheMiddleOfANetworkWhenItIsAskedTo) {
    const Cohort cohort(200);
    std::vector<NetworkOptions> long_ones = some_candidates();
    for (NetworkOptions& each : long_ones) each.epochs = 1'000'000;  // hours
    for (const int threads : {1, 2}) {
        std::atomic<int> calls{0};
        const Progress stops = [&](double, std::string_view) {
            return ++calls < 20'000;
        };  // far beyond what judges take
        EXPECT_THROW((void)tune_network(cohort.study(), long_ones, {}, {}, 1, threads, stops), Error);
        calls = 0;
        EXPECT_THROW((void)learn_average(cohort.study(), every_row(200), long_ones, 1, threads, stops), Error);
    }
}

TEST(LearnAverage, HasNoTwoNetworksThatBeganAlike) {
    const Cohort cohort(120);
    NetworkOptions often = small_network({3});
    often.restarts = 4;
    const std::vector<NetworkOptions> same(4, often);
    // Of the first layer of the average, which has its members side by side.
    const Matrix together = learn_average(cohort.study(), every_row(120), same, 1, 2).network.layers().front().weights;
    ASSERT_EQ(together.rows(), 12);
    for (Eigen::Index i = 0; i < 4; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            EXPECT_NE(Matrix(together.middleRows(3 * i, 3)), Matrix(together.middleRows(3 * j, 3)))
                << i << " and " << j;
    // Nor does one begin as a restart of the first does: each is the best of all that are begun with its seed.
    std::vector<Matrix> begun;
    for (const std::uint64_t seed : {1, 2, 3}) {
        NetworkOptions once = small_network({3});
        begun.push_back(learn_network(cohort.study(), every_row(120), once, Rng(1, Draw::restart, seed).next(), 1)
                            .network.layers()
                            .front()
                            .weights);
    }
    for (Eigen::Index i = 1; i < 4; ++i)
        for (const Matrix& restart : begun) EXPECT_NE(Matrix(together.middleRows(3 * i, 3)), restart);
}

TEST(TuneNetwork, KeepsWhatTheAveragePredictsForRowsThatItDidNotLearnFrom) {
    const std::vector<NetworkOptions> candidates = {small_network({6}), small_network({8, 4})};
    const Cohort cohort(200);
    const Tuning tuning = tune_network(cohort.study(), candidates, {}, {}, 1, 2);
    ASSERT_TRUE(tuning.held_out);
    EXPECT_EQ(tuning.held_out->rows(), 200);
    EXPECT_TRUE(tuning.held_out->allFinite());
}

TEST(TuneNetwork, LearnsTheSupportOfEachFoldWithoutTheRowsThatItHoldsOut) {
    const Cohort cohort(200);
    std::mutex lock;
    std::vector<std::vector<std::size_t>> asked;
    NetworkStudy study = cohort.study();
    const std::vector<TreatmentSet> any(200, all_treatments(3));
    study.allowed = any;
    // Support that allows treatment 1 only, so that the value of any network is that of treatment 1.
    study.allowed_from = [&](std::span<const std::size_t> rows) {
        const std::scoped_lock held(lock);
        asked.emplace_back(rows.begin(), rows.end());
        return std::vector<TreatmentSet>(200, only(1));
    };
    const TuningOptions options{.criterion = TuningCriterion::value};
    const Tuning tuning = tune_network(study, {small_network({6}), small_network({3})}, {}, options, 1, 2);

    ASSERT_EQ(asked.size(), options.folds);
    std::vector<int> left_out(200, 0);
    for (const std::vector<std::size_t>& kept : asked)
        for (std::size_t row = 0; row < 200; ++row) left_out[row] += std::ranges::find(kept, row) == kept.end() ? 1 : 0;
    EXPECT_EQ(left_out, std::vector<int>(200, 1)) << "each row is left out once";

    const TreatedRows treated{cohort.features, cohort.observations.treatment, 3, cohort.observations.outcome, {}};
    const double of_one = TuningJudge(treated, {.seed = 1}).scores().col(1).mean();
    for (const TuningTrial& trial : tuning.trials) EXPECT_NEAR(trial.loss.value(), of_one, 1e-9 * std::abs(of_one));
}

TEST(TuningJudge, HasTheCriteriaAsTheyAreDefined) {
    const Cohort cohort(150);
    const TreatedRows treated{cohort.features, cohort.observations.treatment, 3, cohort.observations.outcome, {}};
    Rng rng(1, Draw::test);
    Matrix predicted(20, 3);
    for (double& value : predicted.reshaped()) value = 40 + rng.normal();
    const std::vector<std::size_t> rows = [&] {
        std::vector<std::size_t> some;
        for (std::size_t i = 0; i < 20; ++i) some.push_back(rng.below(150));
        return some;
    }();
    const auto loss = [&](TuningCriterion criterion) {
        return TuningJudge(treated, {.criterion = criterion, .seed = 2}).loss(rows, predicted);
    };
    const TuningJudge judge(treated, {.seed = 2});
    double error = 0;
    double contrast = 0;
    double value = 0;
    double weighted = 0;
    double weights = 0;
    double within_rules = 0;
    // A bound that some of the rows are below, and some not.
    const double least = std::ranges::max(judge.propensity()) * 0.9;
    std::vector<TreatmentSet> allowed;
    for (std::size_t i = 0; i < 150; ++i) allowed.push_back(1 + rng.below(7));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(rows[i]);
        const double weight = 1 / std::max(judge.propensity()[rows[i]], least);
        const auto f = predicted.row(static_cast<Eigen::Index>(i));
        const auto g = judge.scores().row(row);
        error += std::pow(cohort.observations.outcome[rows[i]] - f[cohort.observations.treatment[rows[i]]], 2) / 20;
        for (Eigen::Index k = 0; k < 3; ++k) contrast += std::pow(g[k] - g.mean() - f[k] + f.mean(), 2) / 20;
        Eigen::Index best = 0;
        (void)f.minCoeff(&best);
        value += g[best] / 20;
        weights += weight;
        weighted +=
            weight * std::pow(cohort.observations.outcome[rows[i]] - f[cohort.observations.treatment[rows[i]]], 2);
        int best_allowed = -1;
        for (int k = 0; k < 3; ++k)
            if (has(allowed[rows[i]], k) && (best_allowed < 0 || f[k] < f[best_allowed])) best_allowed = k;
        within_rules += g[best_allowed] / 20;
    }
    EXPECT_NEAR(loss(TuningCriterion::error), error, 1e-9 * error);
    EXPECT_NEAR(loss(TuningCriterion::contrast), contrast, 1e-9 * contrast);
    EXPECT_NEAR(loss(TuningCriterion::value), value, 1e-9 * std::abs(value));
    const TuningJudge bounded(treated, {.least_propensity = least, .seed = 2});
    EXPECT_NEAR(bounded.loss(rows, predicted), weighted / weights, 1e-9 * error);
    EXPECT_NE(loss(TuningCriterion::weighted_error), bounded.loss(rows, predicted)) << "the bound must matter";
    const TuningJudge obedient(treated, {.criterion = TuningCriterion::value, .allowed = allowed, .seed = 2});
    EXPECT_NEAR(obedient.loss(rows, predicted), within_rules, 1e-9 * std::abs(value));
    EXPECT_NE(obedient.loss(rows, predicted), value) << "rules must matter";
}

TEST(TuningJudge, ComparesTwoPredictionsRowByRow) {
    const Cohort cohort(150);
    const TreatedRows treated{cohort.features, cohort.observations.treatment, 3, cohort.observations.outcome, {}};
    Rng rng(1, Draw::test);
    const std::vector<std::size_t> rows = every_row(150);
    Matrix one(150, 3);
    Matrix other(150, 3);
    for (double& value : one.reshaped()) value = 40 + rng.normal();
    for (double& value : other.reshaped()) value = 41 + rng.normal();
    for (const TuningCriterion criterion :
         {TuningCriterion::weighted_error, TuningCriterion::error, TuningCriterion::contrast, TuningCriterion::value}) {
        const TuningJudge judge(treated, {.criterion = criterion, .seed = 2});
        const ValueAndError excess = judge.excess(rows, one, other).known.value();
        EXPECT_NEAR(excess.value, judge.loss(rows, one) - judge.loss(rows, other), 1e-9);
        EXPECT_NEAR(judge.excess(rows, other, one).known.value().value, -excess.value, 1e-9);
        EXPECT_GT(excess.standard_error, 0);
        EXPECT_EQ(judge.excess(rows, one, one).known.value().standard_error, 0);
    }
    // Rows that hang together are one draw: with each row there twice, the error is larger by the root of two.
    std::vector<std::size_t> twice;
    for (const std::size_t row : rows) twice.insert(twice.end(), 2, row);
    const auto doubled = [](const Matrix& matrix) {
        Matrix all(2 * matrix.rows(), matrix.cols());
        for (Eigen::Index i = 0; i < matrix.rows(); ++i) all.row(2 * i) = all.row(2 * i + 1) = matrix.row(i);
        return all;
    };
    const auto error_of_twice = [&](std::span<const std::size_t> group) {
        const TuningJudge judge(treated, {.criterion = TuningCriterion::error, .group = group, .seed = 2});
        return judge.excess(twice, doubled(one), doubled(other)).known.value().standard_error;
    };
    EXPECT_NEAR(error_of_twice(rows) / error_of_twice({}), few_groups_factor(150) * std::sqrt(2), 0.01);
}

TEST(LearnNetwork, SeesNothingOfRowsThatItIsNotGiven) {
    Cohort cohort(240);
    const RowSplit split = k_folds(cohort.observations.treatment, 2, 1).front();
    const LearnedNetwork learned = learn_network(cohort.study(), split.kept, small_network({4}), 5, 1);
    for (const std::size_t row : split.held_out) {
        cohort.observations.outcome[row] = 1e6;
        cohort.encoded.row(static_cast<Eigen::Index>(row)).setConstant(1e3);
    }
    EXPECT_EQ(learn_network(cohort.study(), split.kept, small_network({4}), 5, 1).network, learned.network);
}

TEST(LearnNetwork, BalancesTreatmentsAsAColumnOfInversePropensitiesWould) {
    Cohort cohort(200);
    Rng rng(5, Draw::test);
    std::vector<double> propensity;
    for (std::size_t i = 0; i < 200; ++i) propensity.push_back(rng.uniform(0.02, 1));
    NetworkOptions options = small_network({6});
    NetworkStudy study = cohort.study();
    const ReluNetwork plain = learn_network(study, every_row(200), options, 3, 1).network;
    study.propensity = propensity;
    EXPECT_EQ(learn_network(study, every_row(200), options, 3, 1).network, plain) << "not asked for";
    options.balance = 1;  // no row counts more than once
    EXPECT_EQ(learn_network(study, every_row(200), options, 3, 1).network, plain);
    options.balance = 7;
    const ReluNetwork balanced = learn_network(study, every_row(200), options, 3, 1).network;
    EXPECT_NE(balanced, plain);

    options.balance = 0;
    for (const double e : propensity) cohort.observations.weight.push_back(std::min(1 / e, 7.0));
    EXPECT_EQ(learn_network(cohort.study(), every_row(200), options, 3, 1).network, balanced);
}

TEST(LearnNetwork, CannotBalanceWithoutPropensities) {
    const Cohort cohort(60);
    NetworkOptions options = small_network({3});
    options.balance = 5;
    EXPECT_THROW((void)learn_network(cohort.study(), every_row(60), options, 1, 1), Error);
    options.balance = 0.5;
    EXPECT_THROW((void)learn_network(cohort.study(), every_row(60), options, 1, 1), Error);
}

TEST(LearnNetwork, HasAFirstMemberThatIsTheNetworkAlone) {
    const Cohort cohort(150);
    NetworkOptions options = small_network({5});
    const LearnedNetwork alone = learn_network(cohort.study(), every_row(150), options, 4, 1);
    options.members = 3;
    const LearnedNetwork three = learn_network(cohort.study(), every_row(150), options, 4, 2);
    EXPECT_EQ(three.network.layers().front().weights.topRows(5), alone.network.layers().front().weights);
    EXPECT_EQ(three.network.layers().front().weights.rows(), 15);
    options.bagged = true;
    EXPECT_NE(learn_network(cohort.study(), every_row(150), options, 4, 2).network, three.network);
}

TEST(LearnNetwork, KeepsTheRestartThatFitsBest) {
    const Cohort cohort(150);
    NetworkOptions options = small_network({2});
    const double alone = learn_network(cohort.study(), every_row(150), options, 4, 1).history.back().training;
    options.restarts = 6;
    EXPECT_LE(learn_network(cohort.study(), every_row(150), options, 4, 2).history.back().training, alone);
}

}  // namespace
}  // namespace polyrx
