// SPDX-License-Identifier: Apache-2.0
// Which treatments evaluation calls supported.
#include "polyrx/evaluate/supported_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

Matrix random_propensities(Rng& rng, Eigen::Index rows, Eigen::Index treatments) {
    Matrix propensities(rows, treatments);
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index k = 0; k < treatments; ++k) propensities(i, k) = std::exp(2 * rng.normal());
        propensities.row(i) /= propensities.row(i).sum();
    }
    return propensities;
}

// The definition, row by row: at least epsilon / 2 of the largest allowed propensity, and common or with ten rows
// expected to have received it among those where it is at most as likely.
bool is_supported(const Matrix& propensities, const std::vector<TreatmentSet>& allowed, double epsilon,
                  Eigen::Index row, int k) {
    const auto ratio_of = [&](Eigen::Index i) {
        double largest = 0;
        for (int j = 0; j < propensities.cols(); ++j)
            if (has(allowed[static_cast<std::size_t>(i)], j)) largest = std::max(largest, propensities(i, j));
        return propensities(i, k) / largest;
    };
    const double ratio = ratio_of(row);
    if (ratio < epsilon / 2) return false;
    if (ratio >= largest_least_ratio) return true;
    double expected = 0;
    for (Eigen::Index i = 0; i < propensities.rows(); ++i)
        if (has(allowed[static_cast<std::size_t>(i)], k) && ratio_of(i) <= ratio) expected += propensities(i, k);
    return expected >= least_rows_in_tail;
}

TEST(SupportedTreatments, AreThoseWithinHalfOfEpsilonOfTheMostLikelyAllowedOne) {
    constexpr Eigen::Index copies = 1'000;  // so many that no row is too rare
    Matrix two(2, 3);
    two << 0.9, 0.06, 0.04, 0.5, 0.49, 0.01;
    const auto supported = [&](const std::vector<TreatmentSet>& allowed, const SupportThreshold& rule) {
        std::vector<TreatmentSet> of_all;
        for (Eigen::Index i = 0; i < copies; ++i) of_all.insert(of_all.end(), allowed.begin(), allowed.end());
        const std::vector<TreatmentSet> found = supported_treatments(two.replicate(copies, 1), of_all, rule);
        return std::vector<TreatmentSet>{found[0], found[1]};
    };
    using Sets = std::vector<TreatmentSet>;
    EXPECT_EQ(supported({}, {.epsilon = 0.1}), (Sets{0b011, 0b011}));
    EXPECT_EQ(supported({0b110, 0b111}, {.epsilon = 0.1}), (Sets{0b111, 0b011}));
    EXPECT_EQ(supported({}, {.by_design = true}), (Sets{0b111, 0b111}));
    two(1, 2) = 0.0009;
    EXPECT_EQ(supported({}, {.by_design = true}), (Sets{0b111, 0b011}));
}

TEST(SupportedTreatments, AreThoseOfTheDefinitionRowByRow) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        const Matrix propensities = random_propensities(rng, 20 + 20 * static_cast<Eigen::Index>(index), 3);
        std::vector<TreatmentSet> allowed;
        for (Eigen::Index i = 0; i < propensities.rows(); ++i) allowed.push_back(rng.bernoulli(0.2) ? 0b110 : 0b111);
        const std::vector<TreatmentSet> supported = supported_treatments(propensities, allowed, {.epsilon = 0.05});
        for (std::size_t i = 0; i < supported.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                if (!has(allowed[i], k)) continue;
                EXPECT_EQ(has(supported[i], k),
                          is_supported(propensities, allowed, 0.05, static_cast<Eigen::Index>(i), k))
                    << index << ": row " << i << ", treatment " << k;
            }
    }
}

TEST(SupportedTreatments, OfMoreRowsLikeTheseAreNeverFewer) {
    Rng rng(2, Draw::test);
    const Matrix propensities = random_propensities(rng, 100, 3);
    std::vector<TreatmentSet> before = supported_treatments(propensities, {}, {});
    std::vector<double> ratios = least_ratios(propensities, {}, default_epsilon);
    for (const Eigen::Index copies : {3, 30, 1'000}) {
        const Matrix more = propensities.replicate(copies, 1);
        const std::vector<TreatmentSet> after = supported_treatments(more, {}, {});
        const std::vector<double> lower = least_ratios(more, {}, default_epsilon);
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i] & after[i], before[i]);
        for (std::size_t k = 0; k < ratios.size(); ++k) EXPECT_LE(lower[k], ratios[k]);
        before.assign(after.begin(), after.begin() + 100);
        ratios = lower;
    }
    EXPECT_EQ(ratios, std::vector<double>(3, default_epsilon / 2));
}

TEST(SupportedTreatments, AreEverywhereThoseOfATrialWithARareArm) {
    Matrix propensities(5'867, 3);
    propensities.col(0).setConstant(0.494);
    propensities.col(1).setConstant(0.494);
    propensities.col(2).setConstant(0.012);
    for (const TreatmentSet supported : supported_treatments(propensities, {}, {})) EXPECT_EQ(supported, 0b111U);
}

TEST(SupportedTreatments, RefuseBadInputInOneSentence) {
    const Matrix propensities = Matrix::Constant(2, 3, 1.0 / 3);
    EXPECT_EQ(test::sentence_of(Trouble::usage, [&] { (void)supported_treatments(propensities, {}, {.epsilon = 1}); }),
              "epsilon of support must be above 0 and below 1, not 1");
    const std::vector<TreatmentSet> none{0b001, 0};
    EXPECT_EQ(test::sentence_of(Trouble::usage, [&] { (void)supported_treatments(propensities, none, {}); }),
              "row 2: the rules allow no treatment");
    EXPECT_EQ(supported_prescriptions(std::vector<TreatmentSet>{0b011, 0b111}, std::vector<int>{2, 2}),
              (std::vector<char>{0, 1}));
}

}  // namespace
}  // namespace polyrx
