// SPDX-License-Identifier: Apache-2.0
// Trials whose rows repeat: which of them are held out must not depend on treatment or outcome.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "polyrx/core/rng.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "tests/support/binomial.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

constexpr int trial_draws = 2000;
constexpr double chance[] = {0.3, 0.45};  // of each of four events, by treatment
constexpr double events = 4;

// Five binary features, a coin flip, and a count of events: about as many kinds of rows as rows.
Observations coarse_trial(std::uint64_t draw, std::size_t rows) {
    Rng rng(1, Draw::test, draw);
    std::vector<std::vector<double>> x(5);
    Observations trial;
    for (std::size_t i = 0; i < rows; ++i) {
        for (auto& feature : x) feature.push_back(static_cast<double>(rng.below(2)));
        const auto treatment = static_cast<int>(rng.below(2));
        double outcome = 0;
        for (int event = 0; event < events; ++event) outcome += rng.bernoulli(chance[treatment]) ? 1 : 0;
        trial.treatment.push_back(treatment);
        trial.outcome.push_back(outcome);
    }
    std::vector<Column> columns;
    for (std::size_t j = 0; j < x.size(); ++j) columns.push_back(test::numbers("x" + std::to_string(j), x[j]));
    trial.features = Table(std::move(columns));
    trial.treatments = {"0", "1"};
    trial.treatment_name = "treatment";
    trial.outcome_name = "events";
    return trial;
}

// The mean log-loss of a row's treatment by the share of it among the other rows with the same features, with half a
// row of each treatment added: at best log 2 for a coin flip.
double log_loss_by_kind(const Observations& rows) {
    std::map<std::string, std::array<double, 2>> counts;
    const auto kind = [&](std::size_t row) {
        std::string text;
        for (const Column& column : rows.features.columns()) text += column.text(row);
        return text;
    };
    for (std::size_t i = 0; i < rows.rows(); ++i) ++counts[kind(i)][static_cast<std::size_t>(rows.treatment[i])];
    double sum = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const auto& count = counts[kind(i)];
        const double same = count[static_cast<std::size_t>(rows.treatment[i])] - 1;
        sum -= std::log((same + 0.5) / (count[0] + count[1]));
    }
    return sum / static_cast<double>(rows.rows());
}

struct Findings {
    WeightedMean error[2] = {};    // of the mean outcome of each treatment
    WeightedMean squares[2] = {};  // of these errors
    int held[2] = {};              // intervals
    WeightedMean share = {};       // of the rows that received treatment 1
    WeightedMean log_loss = {};
};

template <class HeldOutRows>
Findings findings(const HeldOutRows& held_out_rows) {
    Findings found;
    for (int draw = 0; draw < trial_draws; ++draw) {
        const auto seed = static_cast<std::uint64_t>(draw);
        const Observations trial = coarse_trial(seed, 500);
        const Observations held_out = take(trial, held_out_rows(trial, seed));
        for (int k = 0; k < 2; ++k) {
            std::vector<double> outcome;
            for (std::size_t i = 0; i < held_out.rows(); ++i)
                if (held_out.treatment[i] == k) outcome.push_back(held_out.outcome[i]);
            MeanEstimate mean = estimate_mean(outcome, {});
            set_interval(mean, simultaneous_factor(1, 0.95));
            const double truth = events * chance[k];
            const double error = mean.known->value - truth;
            found.error[k].add(error, 1);
            found.squares[k].add(error * error, 1);
            found.held[k] += mean.known->low <= truth && truth <= mean.known->high ? 1 : 0;
        }
        for (const int treatment : held_out.treatment) found.share.add(treatment, 1);
        found.log_loss.add(log_loss_by_kind(held_out), 1);
    }
    return found;
}

double z_of_bias(const Findings& found, int k) {
    const double mean = found.error[k].mean();
    return mean / std::sqrt((found.squares[k].mean() - mean * mean) / trial_draws);
}

void expect_as_the_trial_is(const Findings& found) {
    for (int k = 0; k < 2; ++k) {
        EXPECT_LT(std::abs(z_of_bias(found, k)), 3.3) << k;
        EXPECT_GT(test::binomial_at_most(found.held[k], trial_draws, 0.95), 0.0005) << found.held[k];
        EXPECT_GT(1 - test::binomial_at_most(found.held[k] - 1, trial_draws, 0.95), 0.0005) << found.held[k];
    }
    EXPECT_LT(std::abs(found.share.mean() - 0.5), 3.3 * 0.5 / std::sqrt(200.0 * trial_draws)) << "share of treatment 1";
    EXPECT_GT(found.log_loss.mean(), std::log(2.0)) << "the treatments of held-out rows can be predicted";
}

TEST(CoarseTrial, HeldOutRowsAreAsTheTrialIs) {
    expect_as_the_trial_is(findings(
        [](const Observations& trial, std::uint64_t seed) { return hold_out(trial, 0.4, seed).rows.held_out; }));
}

TEST(CoarseTrial, HeldOutRowsAreAsTheTrialIsAlsoWithOneSeedForAllTrials) {
    for (const std::uint64_t seed : {1, 2})
        expect_as_the_trial_is(findings(
            [seed](const Observations& trial, std::uint64_t) { return hold_out(trial, 0.4, seed).rows.held_out; }));
}

TEST(CoarseTrial, TheSplitOfOlderModelsSelectsOnTheOutcome) {
    // Why there is another: all rows of equal content are on one side.
    const Findings found = findings([](const Observations& trial, std::uint64_t seed) {
        return hold_out_again(trial, 0.4, seed, {.by = SplitBy::content})->held_out;
    });
    for (const int held : found.held) EXPECT_LT(test::binomial_at_most(held, trial_draws, 0.95), 1e-6) << held;
    EXPECT_LT(found.log_loss.mean(), 0.67);
}

}  // namespace
}  // namespace polyrx
