// SPDX-License-Identifier: Apache-2.0
// Which treatments evaluation calls supported.
#include "polyrx/evaluate/overlap/supported_rows.hpp"

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

// The definition, row by row: at least epsilon / 2 of the largest propensity, and common, or with ten rows expected to
// have received it among those whose ratio is between half and twice as large.
bool is_supported(const Matrix& propensities, double epsilon, Eigen::Index row, int k) {
    const auto ratio_of = [&](Eigen::Index i) { return propensities(i, k) / propensities.row(i).maxCoeff(); };
    const double ratio = ratio_of(row);
    if (ratio < epsilon / 2) return false;
    if (ratio >= common_ratio) return true;
    double expected = 0;
    for (Eigen::Index i = 0; i < propensities.rows(); ++i)
        if (ratio_of(i) >= ratio / 2 && ratio_of(i) <= 2 * ratio) expected += propensities(i, k);
    return expected >= least_expected_rows;
}

TEST(SupportedTreatments, AreThoseWithinHalfOfEpsilonOfTheMostLikelyOne) {
    constexpr Eigen::Index copies = 2'000;  // so many that no row is too rare
    Matrix two(2, 3);
    two << 0.9, 0.06, 0.04, 0.5, 0.49, 0.01;
    const auto supported = [&](const SupportThreshold& rule) {
        const std::vector<TreatmentSet> found = supported_treatments(two.replicate(copies, 1), rule);
        return std::vector<TreatmentSet>{found[0], found[1]};
    };
    using Sets = std::vector<TreatmentSet>;
    EXPECT_EQ(supported({.epsilon = 0.1}), (Sets{0b011, 0b011}));
    EXPECT_EQ(supported({.epsilon = 0.03}), (Sets{0b111, 0b111}));
    EXPECT_EQ(supported({.by_design = true}), (Sets{0b111, 0b111}));
    two(1, 2) = 0.0009;
    EXPECT_EQ(supported({.by_design = true}), (Sets{0b111, 0b011}));
}

TEST(SupportedTreatments, AreThoseOfTheDefinitionRowByRow) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        const Matrix propensities = random_propensities(rng, 20 + 20 * static_cast<Eigen::Index>(index), 3);
        const std::vector<TreatmentSet> supported = supported_treatments(propensities, {.epsilon = 0.05});
        for (std::size_t i = 0; i < supported.size(); ++i)
            for (int k = 0; k < 3; ++k)
                EXPECT_EQ(has(supported[i], k), is_supported(propensities, 0.05, static_cast<Eigen::Index>(i), k))
                    << index << ": row " << i << ", treatment " << k;
    }
}

TEST(SupportedTreatments, OfMoreRowsLikeTheseAreNeverFewer) {
    Rng rng(2, Draw::test);
    const Matrix propensities = random_propensities(rng, 100, 3);
    std::vector<TreatmentSet> before = supported_treatments(propensities, {});
    for (const Eigen::Index copies : {3, 30, 2'000}) {
        const std::vector<TreatmentSet> after = supported_treatments(propensities.replicate(copies, 1), {});
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i] & after[i], before[i]);
        before.assign(after.begin(), after.begin() + 100);
    }
    // With so many rows, the ratio alone decides.
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto row = propensities.row(static_cast<Eigen::Index>(i));
        for (int k = 0; k < 3; ++k) EXPECT_EQ(has(before[i], k), row[k] / row.maxCoeff() >= default_epsilon / 2);
    }
}

TEST(SupportedTreatments, AreEverywhereThoseOfATrialWithARareArm) {
    Rng rng(3, Draw::test);
    Matrix propensities(5'867, 3);
    for (auto row : propensities.rowwise()) {  // as they are estimated
        row << 0.494, 0.494, 0.012 * std::exp(0.2 * rng.normal());
        row /= row.sum();
    }
    std::size_t everything = 0;
    for (const TreatmentSet supported : supported_treatments(propensities, {}))
        everything += supported == 0b111 ? 1 : 0;
    EXPECT_EQ(everything, 5'867U);
}

TEST(SupportedTreatments, RefuseAnEpsilonThatIsNone) {
    const Matrix propensities = Matrix::Constant(2, 3, 1.0 / 3);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)supported_treatments(propensities, {.epsilon = 1}); }),
              "epsilon (support) must be above 0 and below 1, not 1");
}

TEST(SupportedPrescriptions, AreThoseInTheSetsOfTheirRows) {
    EXPECT_EQ(supported_prescriptions(std::vector<TreatmentSet>{0b011, 0b111}, std::vector<int>{2, 2}),
              (std::vector<char>{0, 1}));
}

}  // namespace
}  // namespace polyrx
