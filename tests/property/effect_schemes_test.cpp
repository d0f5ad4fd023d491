// SPDX-License-Identifier: Apache-2.0
// Choices among many treatments from effects of pairs, against the definitions.
#include <gtest/gtest.h>

#include "polyrx/baselines/causal/effect_schemes.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "tests/support/compared_rows.hpp"

namespace polyrx {
namespace {

using test::ComparedRows;

constexpr EffectScheme of_several_treatments[] = {EffectScheme::one_vs_all, EffectScheme::one_vs_one_a,
                                                  EffectScheme::one_vs_one_b};

CausalTreeOptions small_tree() {
    CausalTreeOptions options;
    options.arm_rows = 3;
    return options;
}

CausalForestOptions small_forest() {
    CausalForestOptions options;
    options.trees = 8;
    options.residual_trees = 5;
    return options;
}

PairwiseEffects fitted(const ComparedRows& rows, int treatments, EffectScheme scheme, const EffectOptions& options) {
    return fit_pairwise_effects(rows.features, rows.treatment, treatments, rows.outcome, rows.weight, scheme, options);
}

// The effect of p against s, or against all others, as a model learned of these rows alone has it.
double effect(const PairwiseEffects& effects, const FeatureRows& features, std::size_t row, int p, int s) {
    for (const ComparedPair& pair : effects.pairs) {
        const double found = std::visit([&](const auto& model) { return effect_of(model, features, row); }, pair.model);
        if (pair.treatment == p && pair.against == s) return found;
        if (pair.treatment == s && pair.against == p) return -found;
    }
    ADD_FAILURE() << p << " and " << s << " were not compared";
    return 0;
}

TEST(EffectSchemes, ScoresAreTheirDefinitions) {
    for (std::uint64_t index = 0; index < 6; ++index) {
        Rng rng(1, Draw::test, index);
        const int treatments = 2 + static_cast<int>(rng.below(4));
        const ComparedRows rows = test::compared_rows(rng, 200, 3, 0.1, treatments);
        for (const EffectScheme scheme : of_several_treatments) {
            const PairwiseEffects effects = fitted(rows, treatments, scheme, small_tree());
            const Matrix found = scores(effects, rows.features, 1);
            for (std::size_t row = 0; row < 200; row += 5)
                for (int p = 0; p < treatments; ++p) {
                    double lowest = infinity;
                    double votes = 0;
                    for (int s = 0; s < treatments && scheme != EffectScheme::one_vs_all; ++s) {
                        if (s == p) continue;
                        const double delta = effect(effects, rows.features, row, p, s);
                        lowest = std::min(lowest, delta);
                        votes += delta < 0 ? 1 : 0;
                    }
                    double expected = scheme == EffectScheme::one_vs_one_a ? lowest : -votes;
                    if (scheme == EffectScheme::one_vs_all)
                        expected = effect(effects, rows.features, row, p, ComparedPair::all_others);
                    EXPECT_EQ(found(static_cast<Eigen::Index>(row), p), expected) << name_of(scheme);
                }
        }
    }
}

TEST(EffectSchemes, ModelsLearnFromTheRowsOfTheirPairOnly) {
    Rng rng(2, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 300, 3, 0.1, 3);
    const PairwiseEffects effects = fitted(rows, 3, EffectScheme::one_vs_one_a, small_tree());
    ASSERT_EQ(effects.pairs.size(), 3U);
    for (const ComparedPair& pair : effects.pairs) {
        test::Rows both;
        std::vector<int> treated;
        for (std::size_t i = 0; i < 300; ++i) {
            treated.push_back(rows.treatment[i] == pair.treatment ? 1 : 0);
            if (rows.treatment[i] == pair.treatment || rows.treatment[i] == pair.against) both.push_back(i);
        }
        const CausalTree expected =
            fit_causal_tree(rows.features, both, treated, rows.outcome, rows.weight, small_tree());
        EXPECT_EQ(std::get<CausalTree>(pair.model), expected);
    }
}

TEST(EffectSchemes, TwoTreatmentsAreComparedWithZero) {
    Rng rng(3, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 300, 3, 0.1);
    const PairwiseEffects effects = fitted(rows, 2, EffectScheme::plain, small_tree());
    const CausalTree tree =
        fit_causal_tree(rows.features, rows.all(), rows.treatment, rows.outcome, rows.weight, small_tree());
    const Matrix found = scores(effects, rows.features, 1);
    EXPECT_TRUE((found.col(0).array() == 0).all());
    EXPECT_EQ(Vector(found.col(1)), polyrx::effects(tree, rows.features, 1));
}

TEST(EffectSchemes, RelabelingTreatmentsPermutesTheScores) {
    for (std::uint64_t index = 0; index < 4; ++index) {
        Rng rng(4, Draw::test, index);
        constexpr int treatments = 4;
        const ComparedRows rows = test::compared_rows(rng, 250, 3, 0.1, treatments);
        std::vector<int> label = {0, 1, 2, 3};
        rng.shuffle(std::span(label));
        ComparedRows other = rows;
        for (int& treatment : other.treatment) treatment = label[static_cast<std::size_t>(treatment)];
        for (const EffectScheme scheme : of_several_treatments)
            for (const EffectOptions& options : {EffectOptions(small_tree()), EffectOptions(small_forest())}) {
                const Matrix before = scores(fitted(rows, treatments, scheme, options), rows.features, 1);
                const Matrix after = scores(fitted(other, treatments, scheme, options), rows.features, 1);
                for (int t = 0; t < treatments; ++t)
                    EXPECT_EQ(Vector(before.col(t)), Vector(after.col(label[static_cast<std::size_t>(t)])))
                        << name_of(scheme);
            }
    }
}

TEST(EffectSchemes, AreTheSameForAnyNumberOfThreads) {
    Rng rng(5, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 250, 3, 0.1, 3);
    for (const EffectScheme scheme : of_several_treatments) {
        const auto with_threads = [&](int threads, auto options) {
            options.threads = threads;
            return fitted(rows, 3, scheme, options);
        };
        const PairwiseEffects tree = with_threads(1, small_tree());
        const PairwiseEffects forest = with_threads(1, small_forest());
        for (const int threads : {2, 4}) {
            EXPECT_EQ(with_threads(threads, small_tree()), tree);
            EXPECT_EQ(with_threads(threads, small_forest()), forest);
            EXPECT_EQ(scores(forest, rows.features, threads), scores(forest, rows.features, 1));
        }
    }
}

TEST(EffectSchemes, FindTheBestOfTenTreatments) {
    Rng rng(6, Draw::test);
    constexpr std::size_t n = 3'000;
    ComparedRows rows;
    rows.features = {Eigen::MatrixXd(n, 2), {0, 0}};
    std::vector<int> best;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(n); ++i) {
        rows.features.values.row(i) << rng.uniform(-1, 1), rng.uniform(-1, 1);
        best.push_back(rows.features.values(i, 0) > 0 ? 7 : 2);
        rows.treatment.push_back(static_cast<int>(rng.below(10)));
        rows.outcome.push_back((rows.treatment.back() == best.back() ? -3 : 0) + rng.normal());
    }
    for (const EffectScheme scheme : of_several_treatments) {
        const Matrix found = scores(fitted(rows, 10, scheme, CausalTreeOptions{}), rows.features, 2);
        std::size_t right = 0;
        for (std::size_t i = 0; i < n; ++i) {
            Eigen::Index first = 0;
            found.row(static_cast<Eigen::Index>(i)).minCoeff(&first);
            right += first == best[i] ? 1 : 0;
        }
        EXPECT_GT(right, n * 9 / 10) << name_of(scheme);
    }
}

TEST(EffectSchemes, WhatWasNeverObservedIsNeverPrescribedAndNothingIsNotANumber) {
    Rng rng(7, Draw::test);
    ComparedRows rows = test::compared_rows(rng, 60, 2, 0.1, 2);
    for (int& treatment : rows.treatment) treatment = 2 * treatment + 1;  // 1 and 3 of 0 .. 4
    rows.treatment[0] = 4;                                                // and once 4
    const auto check = [&](EffectScheme scheme, const EffectOptions& options, int treatments) {
        const PairwiseEffects effects = fitted(rows, treatments, scheme, options);
        const Matrix found = scores(effects, rows.features, 1);
        for (int t = 0; t < treatments; ++t) {
            const bool observed = effects.rows[static_cast<std::size_t>(t)] > 0;
            EXPECT_EQ(observed, std::ranges::find(rows.treatment, t) != rows.treatment.end());
            for (const double score : found.col(t))
                EXPECT_TRUE(observed ? std::isfinite(score) : score == infinity) << name_of(scheme);
        }
    };
    for (const EffectScheme scheme : of_several_treatments)
        for (const EffectOptions& options : {EffectOptions(small_tree()), EffectOptions(small_forest())})
            check(scheme, options, 5);
    std::ranges::fill(rows.treatment, 1);
    for (const EffectScheme scheme : of_several_treatments) check(scheme, small_tree(), 5);
    check(EffectScheme::plain, small_tree(), 2);
}

TEST(EffectSchemes, RowsWithoutWeightHaveNoSay) {
    Rng rng(8, Draw::test);
    ComparedRows rows = test::compared_rows(rng, 200, 2, 0.1, 3);
    for (std::size_t i = 0; i < 200; i += 3) rows.weight[i] = 0;
    const PairwiseEffects before = fitted(rows, 3, EffectScheme::one_vs_all, small_tree());
    for (std::size_t i = 0; i < 200; i += 3) rows.outcome[i] = 1e9;
    EXPECT_EQ(fitted(rows, 3, EffectScheme::one_vs_all, small_tree()), before);
}

TEST(EffectSchemes, ProgressRisesToItsEndAndCancels) {
    Rng rng(9, Draw::test);
    const ComparedRows rows = test::compared_rows(rng, 100, 2, 0.1, 3);
    for (const EffectOptions& options : {EffectOptions(small_tree()), EffectOptions(small_forest())}) {
        double last = -1;
        std::size_t calls = 0;
        const auto fit_with = [&](const Progress& progress) {
            return fit_pairwise_effects(rows.features, rows.treatment, 3, rows.outcome, {}, EffectScheme::one_vs_one_b,
                                        options, progress);
        };
        (void)fit_with([&](double share, std::string_view) {
            EXPECT_GE(share, last);
            EXPECT_LE(share, 1);
            last = share;
            ++calls;
            return true;
        });
        EXPECT_GT(calls, 2U);
        for (std::size_t stop = 0; stop < calls; stop += 1 + calls / 5) {
            std::size_t left = stop;
            try {
                (void)fit_with([&](double, std::string_view) { return left-- > 0; });
                ADD_FAILURE() << "went on after call " << stop;
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::canceled);
            }
        }
    }
}

TEST(EffectSchemes, RefuseWhatMakesNoSense) {
    const FeatureRows features{Eigen::MatrixXd::Zero(3, 1), {0}};
    const std::vector<int> treatment = {0, 1, 2};
    const std::vector<double> outcome = {1, 2, 3};
    const auto refused = [&](std::span<const int> given, int treatments, std::span<const double> weight,
                             EffectScheme scheme) {
        EXPECT_THROW((void)fit_pairwise_effects(features, given, treatments, outcome, weight, scheme, small_tree()),
                     Error);
    };
    refused(treatment, 3, {}, EffectScheme::plain);
    refused(treatment, 2, {}, EffectScheme::one_vs_all);
    refused(std::span(treatment).first(2), 3, {}, EffectScheme::one_vs_all);
    refused(treatment, 3, std::span(outcome).first(1), EffectScheme::one_vs_all);
}

}  // namespace
}  // namespace polyrx
