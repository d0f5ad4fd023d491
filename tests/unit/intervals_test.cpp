// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/intervals.hpp"

#include <gtest/gtest.h>

#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/not_a_number.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::sentence_of;

TEST(NormalQuantile, HasTheDigitsOfTheTables) {
    EXPECT_DOUBLE_EQ(normal_quantile(0.975), 1.959963984540054);
    EXPECT_DOUBLE_EQ(normal_quantile(0.0005), -3.2905267314918945);
    EXPECT_DOUBLE_EQ(normal_quantile(0.75), 0.6744897501960817);
    EXPECT_EQ(normal_quantile(0.5), 0);
    EXPECT_DOUBLE_EQ(two_sided_factor(0.95), 1.959963984540054);
    EXPECT_EQ(sentence_of(ErrorKind::usage, [] { (void)normal_quantile(1); }),
              "a quantile's probability must be between 0 and 1, not 1");
    EXPECT_EQ(sentence_of(ErrorKind::usage, [] { (void)two_sided_factor(95); }),
              "the level of an interval must be between 0 and 1, not 95");
}

TEST(NormalInterval, ReachesSomeStandardErrorsToEitherSide) {
    const ValueEstimate estimate = ratio_estimate({{1, 2, 3, 6}, {1, 1, 1, 1}});
    EXPECT_EQ(estimate.value, 3);
    EXPECT_DOUBLE_EQ(*estimate.standard_error, std::sqrt(14.0 / 3 / 4));
    const IntervalAnswer answer = normal_interval(estimate, 2);
    EXPECT_EQ(answer.interval,
              (ConfidenceInterval{3, 3 - 2 * *estimate.standard_error, 3 + 2 * *estimate.standard_error}));
    ValueEstimate none;
    none.reason = "not estimable: no row received what was prescribed";
    EXPECT_FALSE(normal_interval(none, 2).interval);
    EXPECT_EQ(normal_interval(none, 2).reason, none.reason);
}

TEST(PercentileInterval, IsBetweenQuantilesOfTheDraws) {
    const ValueEstimate estimate = ratio_estimate({{1, 2}, {1, 1}});
    std::vector<double> draws;
    for (int i = 200; i >= 0; --i) draws.push_back(i);
    const ConfidenceInterval interval = percentile_interval(estimate, draws, 0.95).interval.value();
    EXPECT_EQ(interval.estimate, 1.5);
    EXPECT_NEAR(interval.low, 5, 1e-12);
    EXPECT_NEAR(interval.high, 195, 1e-12);
    EXPECT_NEAR(percentile_interval(estimate, std::vector<double>{0, 1}, 0.5).interval->low, 0.25, 1e-12);
    EXPECT_EQ(percentile_interval(estimate, std::vector<double>{7}, 0.5).interval->high, 7);
}

TEST(PercentileInterval, DoesWithoutAFewDrawsThatHaveNoValue) {
    const ValueEstimate estimate = ratio_estimate({{1, 2}, {1, 1}});
    std::vector<double> draws(200, 1.0);
    draws[3] = draws[77] = test::not_a_number;
    EXPECT_EQ(percentile_interval(estimate, draws, 0.95).interval, (ConfidenceInterval{1.5, 1, 1}));
    draws[5] = test::not_a_number;
    const IntervalAnswer answer = percentile_interval(estimate, draws, 0.95);
    EXPECT_FALSE(answer.interval);
    EXPECT_EQ(answer.reason, "not estimable: no row received what was prescribed in 3 of 200 resamples");
    EXPECT_NEAR(*bootstrap_standard_error(draws), 0, 1e-14);
    EXPECT_FALSE(bootstrap_standard_error(std::vector<double>{1, test::not_a_number}));
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)percentile_interval(estimate, draws, 0); }),
              "the level of an interval must be between 0 and 1, not 0");
}

TEST(Bootstrap, HasNoValueWhereNoRowOfASampleMatches) {
    const Matrix draws = bootstrap(std::array{RowTerms{{4, 0, 0}, {2, 0, 0}}}, {}, {.draws = 200});
    EXPECT_GT(draws.array().isNaN().count(), 30);
    for (const double draw : draws.reshaped()) EXPECT_TRUE(std::isnan(draw) || draw == 2);
}

TEST(Bootstrap, RefusesWhatItCannotDraw) {
    const std::array two{RowTerms{{1, 2}, {1, 1}}, RowTerms{{1, 2, 3}, {1, 1, 1}}};
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)bootstrap(two, {}, {}); }),
              "estimates that are bootstrapped together must have the same number of rows, not 2 and 3");
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)bootstrap(two, {}, {.draws = 0}); }),
              "a bootstrap needs at least 1 draw, not 0");
    EXPECT_EQ(sentence_of(ErrorKind::data,
                          [&] { (void)bootstrap(std::span(two).first(1), std::vector<std::size_t>{4, 4}, {}); }),
              "all rows are in one group; at least two groups are needed for a standard error");
    EXPECT_EQ(sentence_of(ErrorKind::usage,
                          [&] { (void)bootstrap(std::span(two).first(1), std::vector<std::size_t>{4}, {}); }),
              "1 groups were given for 2 rows");
}

}  // namespace
}  // namespace polyrx
