// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/learn_support.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "polyrx/core/every_row.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

// Rows of normal inputs, with treatments drawn by known propensities.
struct AssignedStudy {
    Encoder encoder;
    Matrix encoded;
    std::vector<int> treatment;
    Matrix propensities;
    FeatureRows features = {};
};

using Propensities = std::function<Eigen::RowVectorXd(const Eigen::RowVectorXd&)>;

AssignedStudy assigned_study(std::size_t rows, Eigen::Index inputs, const Propensities& propensities,
                             std::uint64_t seed) {
    Rng rng(seed, Draw::test);
    std::vector<Feature> features;
    for (Eigen::Index i = 0; i < inputs; ++i) {
        features.emplace_back();
        features.back().name = "x" + std::to_string(i);
        features.back().lower = -5;
        features.back().upper = 5;
    }
    AssignedStudy study{Encoder(std::move(features)), Matrix(static_cast<Eigen::Index>(rows), inputs), {}, {}};
    for (Eigen::Index i = 0; i < study.encoded.rows(); ++i) {
        for (Eigen::Index j = 0; j < inputs; ++j) study.encoded(i, j) = rng.normal();
        const Eigen::RowVectorXd e = propensities(study.encoded.row(i));
        if (i == 0) study.propensities.resize(study.encoded.rows(), e.size());
        study.propensities.row(i) = e;
        double u = rng.uniform();
        int k = 0;
        while (k + 1 < static_cast<int>(e.size()) && u >= e[k]) u -= e[k++];
        study.treatment.push_back(k);
    }
    study.features = {study.encoded, std::vector<int>(static_cast<std::size_t>(inputs), 0)};
    return study;
}

SupportStudy of(const AssignedStudy& study, const std::vector<std::size_t>& rows, bool design = false) {
    return {.encoder = study.encoder,
            .encoded = study.encoded,
            .features = study.features,
            .treatment = study.treatment,
            .treatments = static_cast<std::size_t>(study.propensities.cols()),
            .reference_rows = rows,
            .reference = &study.propensities,
            .design = design ? &study.propensities : nullptr};
}

LearnedSupport learn(const AssignedStudy& study, double epsilon = 0.1) {
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    return learn_support(of(study, rows), rows, {.epsilon = epsilon});
}

// Of the rows and treatments, the share that the learned support judges as the true propensities do.
double agreement(const AssignedStudy& study, const LearnedSupport& learned) {
    const auto treatments = static_cast<std::size_t>(study.propensities.cols());
    const BoundRules rules({}, treatments, bind_support(learned.support, study.encoder, treatments));
    const std::vector<TreatmentSet> supported = rules.supported(study.encoded);
    std::size_t same = 0;
    for (std::size_t i = 0; i < supported.size(); ++i) {
        const auto e = study.propensities.row(static_cast<Eigen::Index>(i));
        for (int k = 0; k < static_cast<int>(treatments); ++k)
            same += has(supported[i], k) == (e[k] >= learned.support.epsilon * e.maxCoeff()) ? 1 : 0;
    }
    return static_cast<double>(same) / static_cast<double>(supported.size() * treatments);
}

Eigen::RowVectorXd two(double e) {
    return Eigen::RowVector2d(1 - e, e);
}

double logistic(double z) {
    return 1 / (1 + std::exp(-z));
}

TEST(LearnSupport, IsConstantInATrial) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const AssignedStudy study = assigned_study(2'000, 4, [](const auto&) { return two(0.5); }, seed);
        const LearnedSupport learned = learn(study);
        EXPECT_EQ(kind_of(learned.support), "constant") << seed;
        EXPECT_EQ(agreement(study, learned), 1);
    }
}

TEST(LearnSupport, IsAShortLogisticRegressionWhereTreatmentFollowsOneInput) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const AssignedStudy study =
            assigned_study(3'000, 6, [](const auto& x) { return two(logistic(3 * x[2])); }, seed);
        const LearnedSupport learned = learn(study);
        EXPECT_LE(most_terms(learned.support), 3U) << learned.trials[learned.chosen].name;
        EXPECT_GT(agreement(study, learned), 0.95);
    }
}

TEST(LearnSupport, IsNoLogisticRegressionWhereTreatmentFollowsAMagnitude) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const AssignedStudy study =
            assigned_study(4'000, 3, [](const auto& x) { return two(std::abs(x[0]) > 1 ? 0.97 : 0.02); }, seed);
        const LearnedSupport learned = learn(study);
        EXPECT_EQ(kind_of(learned.support), "tree") << seed;
        EXPECT_GT(agreement(study, learned), 0.97);
    }
}

TEST(LearnSupport, FindsInteractionsOfFewAmongManyInputs) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const AssignedStudy study =
            assigned_study(2'000, 20, [](const auto& x) { return two((x[4] > 0) == (x[11] > 0) ? 0.99 : 0.01); }, seed);
        const LearnedSupport learned = learn(study);
        EXPECT_EQ(learned.trials[learned.chosen].name, "tree of depth 2 with lookahead") << seed;
        EXPECT_GT(agreement(study, learned), 0.95) << seed;
    }
}

TEST(MostLikelySupport, LeavesTheMostLikelyTreatmentOnly) {
    // By a line, by a magnitude, and by an interaction, which no line tells.
    const std::vector<Propensities> assignments = {
        [](const auto& x) -> Eigen::RowVectorXd {
            Eigen::RowVector3d e(std::exp(2 * x[0]), 1, std::exp(-2 * x[1]));
            return e / e.sum();
        },
        [](const auto& x) { return two(std::abs(x[0]) > 1 ? 0.9 : 0.1); },
        [](const auto& x) { return two(x[0] * x[1] > 0 ? 0.9 : 0.1); },
    };
    for (std::size_t a = 0; a < assignments.size(); ++a) {
        const AssignedStudy study = assigned_study(4'000, 3, assignments[a], 20 + a);
        const std::vector<std::size_t> rows = every_row(study.treatment.size());
        const LearnedSupport learned = learn(study);
        const Support support = most_likely_support(of(study, rows), rows, &learned);
        const auto treatments = static_cast<std::size_t>(study.propensities.cols());
        const BoundRules rules({}, treatments, bind_support(support, study.encoder, treatments));
        const std::vector<TreatmentSet> sets = rules.supported(study.encoded);
        double alone = 0;
        double right = 0;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            ASSERT_NE(sets[i], TreatmentSet{0});
            Eigen::Index usual = 0;
            study.propensities.row(static_cast<Eigen::Index>(i)).maxCoeff(&usual);
            alone += std::has_single_bit(sets[i]) ? 1 : 0;
            right += has(sets[i], static_cast<int>(usual)) ? 1 : 0;
        }
        EXPECT_GT(alone / 4'000, 0.99) << a;
        EXPECT_GT(right / 4'000, 0.9) << a;
    }
}

TEST(LearnSupport, DoesNotPrescribeATreatmentWithFewRows) {
    const AssignedStudy study = assigned_study(
        3'000, 3, [](const auto&) -> Eigen::RowVectorXd { return Eigen::RowVector3d(0.497, 0.5, 0.003); }, 3);
    const LearnedSupport learned = learn(study);
    ASSERT_EQ(learned.support.never, std::vector<int>{2});
    const BoundRules rules({}, 3, bind_support(learned.support, study.encoder, 3));
    for (const TreatmentSet set : rules.supported(study.encoded)) EXPECT_FALSE(has(set, 2));
    // Where rules leave nothing else, it is supported.
    BoundRule only_the_rare{{}, only(2)};
    const BoundRules ruled({only_the_rare}, 3, bind_support(learned.support, study.encoder, 3));
    EXPECT_EQ(ruled.supported(study.encoded.row(0).data()), only(2));
}

TEST(LearnSupport, OfADesignSupportsWhateverTheDesignGave) {
    AssignedStudy study = assigned_study(
        2'000, 3, [](const auto&) -> Eigen::RowVectorXd { return Eigen::RowVector3d(0.49, 0.49, 0.02); }, 4);
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    const LearnedSupport learned = learn_support(of(study, rows, true), rows, {});
    EXPECT_EQ(kind_of(learned.support), "design");
    EXPECT_TRUE(bind_support(learned.support, study.encoder, 3).empty());
}

// Three strata: the third treatment has no chance, a small one, a large one.
Eigen::RowVectorXd by_stratum(const Eigen::RowVectorXd& x) {
    const double rare = x[0] < -0.5 ? 0 : x[0] < 0.5 ? 0.005 : 0.3;
    return Eigen::RowVector3d(0.6 * (1 - rare), 0.4 * (1 - rare), rare);
}

TEST(LearnSupport, OfADesignFollowsItWhereItIsZeroForSomeRows) {
    const AssignedStudy study = assigned_study(3'000, 3, by_stratum, 5);
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    const LearnedSupport learned = learn_support(of(study, rows, true), rows, {});
    EXPECT_EQ(kind_of(learned.support), "design");
    EXPECT_EQ(learned.conservative, 0);
    EXPECT_EQ(learned.beyond, 0);
    // Without some of the rows too: only rows beside the border may differ.
    std::vector<std::size_t> some;
    for (const std::size_t row : rows)
        if (row % 5 != 0) some.push_back(row);
    const Support refitted = refit_support(of(study, rows, true), some, learned);
    for (const Support& support : {learned.support, refitted}) {
        const BoundRules rules({}, 3, bind_support(support, study.encoder, 3));
        const std::vector<TreatmentSet> supported = rules.supported(study.encoded);
        std::size_t others = 0;
        for (std::size_t i = 0; i < supported.size(); ++i)
            others += has(supported[i], 2) != (study.encoded(static_cast<Eigen::Index>(i), 0) >= -0.5) ? 1 : 0;
        EXPECT_LE(others, support == refitted ? 3U : 0U);
    }
}

TEST(LearnSupport, OfADesignNeverSupportsAZeroOfATrainingRow) {
    // More regions than a tree of 16 leaves can tell apart.
    const AssignedStudy study = assigned_study(
        2'000, 3,
        [](const Eigen::RowVectorXd& x) -> Eigen::RowVectorXd {
            const double rare = std::sin(9 * x[0]) * std::sin(7 * x[1]) > 0 ? 0.3 : 0;
            return Eigen::RowVector3d(0.5, 0.5 - rare, rare);
        },
        6);
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    const LearnedSupport learned = learn_support(of(study, rows, true), rows, {});
    const BoundRules rules({}, 3, bind_support(learned.support, study.encoder, 3));
    const std::vector<TreatmentSet> supported = rules.supported(study.encoded);
    std::size_t conservative = 0;
    for (std::size_t i = 0; i < supported.size(); ++i) {
        const bool designed = study.propensities(static_cast<Eigen::Index>(i), 2) > 0;
        EXPECT_FALSE(has(supported[i], 2) && !designed);
        conservative += designed && !has(supported[i], 2) ? 1 : 0;
    }
    EXPECT_GT(conservative, 0U);
    EXPECT_EQ(learned.conservative, static_cast<double>(conservative) / 2'000);
    EXPECT_EQ(learned.beyond, 0);
}

TEST(LearnSupport, AlwaysLeavesTheMostLikelyAllowedTreatment) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const AssignedStudy study = assigned_study(
            2'000, 4,
            [](const auto& x) -> Eigen::RowVectorXd {
                Eigen::RowVectorXd e = Eigen::RowVector4d(3 * x[0], 3 * x[1], -3 * x[0], x[2] * x[3]).array().exp();
                return e / e.sum();
            },
            seed);
        const LearnedSupport learned = learn(study, 0.2);
        Rng rng(seed, Draw::test, 1);
        for (int i = 0; i < 20; ++i) {
            const TreatmentSet allowed = 1 + rng.below(15);
            const BoundRules rules({{{}, allowed}}, 4, bind_support(learned.support, study.encoder, 4));
            for (const TreatmentSet set : rules.supported(study.encoded)) {
                EXPECT_NE(set, 0U);
                EXPECT_EQ(set & ~allowed, 0U);
            }
        }
    }
}

TEST(LearnSupport, GivesTheSameForAnyNumberOfThreads) {
    const AssignedStudy study =
        assigned_study(1'500, 5, [](const auto& x) { return two(logistic(2 * x[0] - x[1])); }, 9);
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    EXPECT_EQ(learn_support(of(study, rows), rows, {.threads = 1}).support,
              learn_support(of(study, rows), rows, {.threads = 4}).support);
}

}  // namespace
}  // namespace polyrx
