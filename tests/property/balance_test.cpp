// SPDX-License-Identifier: Apache-2.0
// Covariate balance: by hand, against a literal twin, and that true propensities take imbalance away.
#include "polyrx/evaluate/overlap/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::numbers;
using test::texts;

Matrix even(std::size_t rows, int treatments = 2) {
    return Matrix::Constant(static_cast<Eigen::Index>(rows), treatments, 1.0 / treatments);
}

const CovariateBalance& found(const std::vector<CovariateBalance>& all, const Encoder& encoder, const std::string& name,
                              int treatment) {
    return *std::ranges::find_if(all, [&](const CovariateBalance& one) {
        return encoder.columns()[one.column].name == name && one.treatment == treatment;
    });
}

TEST(Balance, OfSixRowsByHand) {
    const Table table(
        {numbers("age", {1, 2, 3, NumericColumn::missing, 5, 9}), texts("sex", {"F", "M"}, {0, 0, 1, 1, 1, 1})});
    const Encoder encoder = make_encoder(table);
    const std::vector<int> treatment = {0, 0, 0, 1, 1, 1};
    const auto balance = covariate_balance(encoder, encoder.encode(table), treatment, even(6));
    // Known ages 1 2 3 5 9: mean 4, variance (9 + 4 + 1 + 1 + 25) / 5 = 8.
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "age", 0).before, (2 - 4) / std::sqrt(8));
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "age", 1).before, (7 - 4) / std::sqrt(8));
    // One of six is missing: mean 1/6, variance 5/36.
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "age is missing", 1).before, (1.0 / 3 - 1.0 / 6) / std::sqrt(5.0 / 36));
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "sex = F", 0).before, (2.0 / 3 - 1.0 / 3) / std::sqrt(2.0 / 9));
    for (const CovariateBalance& one : balance) EXPECT_NEAR(*one.before, *one.after, 1e-12);  // even propensities
}

TEST(Balance, AfterWeightingByHand) {
    const Table table({numbers("x", {0, 1, 4})});
    const Encoder encoder = make_encoder(table);
    Matrix propensities(3, 2);
    propensities << 0.5, 0.5, 0.25, 0.75, 0.999, 0.001;
    const std::vector<int> treatment = {0, 0, 1};
    const auto balance = covariate_balance(encoder, encoder.encode(table), treatment, propensities);
    const double mean = 5.0 / 3;
    const double deviation = std::sqrt((mean * mean + (1 - mean) * (1 - mean) + (4 - mean) * (4 - mean)) / 3);
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "x", 0).before, (0.5 - mean) / deviation);
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "x", 0).after, (4.0 / 6 - mean) / deviation);
    EXPECT_DOUBLE_EQ(*found(balance, encoder, "x", 1).after, (4 - mean) / deviation);
}

TEST(Balance, IsTheLiteralFormulaAndTheLargestComesFirst) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(1, Draw::test, index);
        test::ScoredSample study = test::scored_study(rng, 60, 3);
        study.weight = test::random_weights(rng, 60);
        std::vector<double> x0(60);
        std::vector<double> x1(60);
        for (Eigen::Index i = 0; i < 60; ++i) {
            x0[static_cast<std::size_t>(i)] = study.features(i, 0);
            x1[static_cast<std::size_t>(i)] = study.features(i, 1);
        }
        const Encoder encoder = make_encoder(Table({numbers("x0", x0), numbers("x1", x1)}));
        const auto balance =
            covariate_balance(encoder, study.features, study.treatment, study.propensities, {0.15, study.weight});
        EXPECT_EQ(balance.size(), 6U);
        double last = INFINITY;
        for (const CovariateBalance& one : balance) {
            const auto mean_over = [&](const auto& value, const auto& weight) {
                double sum = 0;
                double total = 0;
                for (std::size_t i = 0; i < 60; ++i) {
                    sum += weight(i) * value(i);
                    total += weight(i);
                }
                return sum / total;
            };
            const auto x = [&](std::size_t i) {
                return study.features(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(one.column));
            };
            const auto w = [&](std::size_t i) { return study.weight[i]; };
            const auto arm = [&](std::size_t i) { return study.treatment[i] == one.treatment ? w(i) : 0; };
            const auto inverse = [&](std::size_t i) {
                return arm(i) / std::max(0.15, study.propensities(static_cast<Eigen::Index>(i), one.treatment));
            };
            const double mean = mean_over(x, w);
            const double deviation = std::sqrt(mean_over([&](std::size_t i) { return std::pow(x(i) - mean, 2); }, w));
            EXPECT_NEAR(*one.before, (mean_over(x, arm) - mean) / deviation, 1e-12);
            EXPECT_NEAR(*one.after, (mean_over(x, inverse) - mean) / deviation, 1e-12);
            const double size = std::max(std::abs(*one.before), std::abs(*one.after));
            EXPECT_LE(size, last);
            last = size;
        }
    }
}

TEST(Balance, GoesToZeroAfterWeightingWithTruePropensities) {
    double before = 0;
    double last = INFINITY;
    for (const Eigen::Index rows : {500, 8'000, 128'000}) {
        Rng rng(2, Draw::test, static_cast<std::uint64_t>(rows));
        const test::ScoredSample study = test::scored_study(rng, rows, 3);
        const Encoder encoder = make_encoder(Table({numbers("x0", {0, 1}), numbers("x1", {0, 1})}));
        const auto balance = covariate_balance(encoder, study.features, study.treatment, study.propensities);
        double after = 0;
        before = 0;
        for (const CovariateBalance& one : balance) {
            before = std::max(before, std::abs(*one.before));
            after = std::max(after, std::abs(*one.after));
        }
        EXPECT_LT(after, 8 / std::sqrt(static_cast<double>(rows)));
        EXPECT_LT(after, last);
        last = after;
    }
    EXPECT_GT(before, 0.3);
    EXPECT_LT(last, notable_difference / 4);
}

TEST(Balance, OfNobodyIsNothingAndOfAnInputThatNeverVariesZero) {
    const Table table({numbers("same", {3, 3, 3}), numbers("x", {1, 2, NumericColumn::missing})});
    const Encoder encoder = make_encoder(table);
    const auto balance = covariate_balance(encoder, encoder.encode(table), std::vector<int>{0, 0, 1}, even(3, 3));
    EXPECT_EQ(found(balance, encoder, "same", 0).before, 0);
    EXPECT_EQ(found(balance, encoder, "same", 2).before, std::nullopt);  // nobody received 2
    EXPECT_EQ(found(balance, encoder, "x", 1).after, std::nullopt);      // who received 1 has no known x
    EXPECT_NE(found(balance, encoder, "x is missing", 1).after, std::nullopt);
}

TEST(Balance, BadInputIsOneSentence) {
    const Table table({numbers("x", {1, 2, 3})});
    const Encoder encoder = make_encoder(table);
    const Matrix encoded = encoder.encode(table);
    const std::vector<double> zeros(3, 0);
    const auto sentence = [&](ErrorKind trouble, const Matrix& rows, std::vector<int> treatment,
                              const Matrix& propensities, const BalanceOptions& options) {
        return test::sentence_of(trouble,
                                 [&] { (void)covariate_balance(encoder, rows, treatment, propensities, options); });
    };
    EXPECT_EQ(sentence(ErrorKind::data, encoded, {0, 1, 0}, even(3), {0.02, zeros}),
              "the weight is 0 in every row, so no row counts");
    EXPECT_EQ(sentence(ErrorKind::data, Matrix(0, 1), {}, even(0), {}), "there are no rows to evaluate");
    EXPECT_EQ(sentence(ErrorKind::usage, encoded, {0, 1, 2}, even(3), {}),
              "row 3: treatment 2 is none of 2 treatments");
    EXPECT_EQ(sentence(ErrorKind::usage, Matrix(3, 2), {0, 1, 1}, even(3), {}), "rows of 2 inputs but an encoder of 1");
    EXPECT_EQ(sentence(ErrorKind::usage, encoded, {0, 1}, even(3), {}),
              "2 treatments, 3 encoded rows and 3 rows of propensities");
}

}  // namespace
}  // namespace polyrx
