// SPDX-License-Identifier: Apache-2.0
// Runs that diverge: what is said of them, and what becomes of those that are begun again.
#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::easy_rows;

TrainOptions retry_options() {
    return test::small_options(5);
}

// Diverges at first, and learns at a lower rate.
TrainOptions hasty_options() {
    TrainOptions options = retry_options();
    options.learning_rate = 1e7;
    options.retries = 30;
    return options;
}

TEST(Retry, BeginsADivergingRunAgainWithAThirdOfTheLearningRateAndSaysSo) {
    const TrainingRows rows = easy_rows(300, 1);
    const Trained trained = train(rows, nullptr, hasty_options());
    ASSERT_GT(trained.retries, 0);
    double rate = 1e7;
    for (int i = 0; i < trained.retries; ++i) rate /= 3;
    EXPECT_EQ(trained.learning_rate, rate);

    // The run that succeeded is that of the lower rate, and the one before it did diverge.
    TrainOptions plain = retry_options();
    plain.learning_rate = rate;
    const Trained at_once = train(rows, nullptr, plain);
    EXPECT_EQ(at_once.network, trained.network);
    EXPECT_EQ(at_once.retries, 0);
    plain.learning_rate = 3 * rate;
    EXPECT_THROW((void)train(rows, nullptr, plain), Diverged);
}

TEST(Retry, ChangesNothingAboutARunThatDoesNotDiverge) {
    const TrainingRows rows = easy_rows(300, 1);
    TrainOptions options = retry_options();
    const Trained plain = train(rows, nullptr, options);
    options.retries = 3;
    const Trained trained = train(rows, nullptr, options);
    EXPECT_EQ(trained.network, plain.network);
    EXPECT_EQ(trained.retries, 0);
    EXPECT_EQ(trained.learning_rate, 1e-2);
}

TEST(Retry, SaysHowOftenItTriedWhenNothingHelps) {
    TrainOptions options = retry_options();
    options.learning_rate = 1e30;
    options.retries = 2;
    const std::string sentence =
        test::sentence_of(ErrorKind::other, [&] { (void)train(easy_rows(300, 1), nullptr, options); });
    EXPECT_NE(sentence.find("training diverged in epoch 1"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("(tried 3 times, with learning rates from 1e+30 down to 1.11e+29)"), std::string::npos)
        << sentence;
    options.retries = 0;
    EXPECT_EQ(
        test::sentence_of(ErrorKind::other, [&] { (void)train(easy_rows(300, 1), nullptr, options); }).find("tried"),
        std::string::npos);
}

TEST(Retry, NeverTakesBackWhatItReportedDone) {
    std::vector<double> shares;
    (void)train(easy_rows(300, 1), nullptr, hasty_options(), [&](double share_done, std::string_view) {
        shares.push_back(share_done);
        return true;
    });
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GT(shares.back(), 0.9);
}

TEST(Retry, IsNotForARunThatIsCanceled) {
    int calls = 0;
    EXPECT_EQ(test::sentence_of(ErrorKind::canceled,
                                [&] {
                                    (void)train(easy_rows(300, 1), nullptr, hasty_options(),
                                                [&](double, std::string_view) { return ++calls < 3; });
                                }),
              "canceled");
    EXPECT_EQ(calls, 3);
}

TEST(ClippedTraining, LearnsAndIsAnotherRunOnlyWhereAGradientIsTooLong) {
    const TrainingRows rows = easy_rows(300, 1);
    TrainOptions options = retry_options();
    const Trained plain = train(rows, nullptr, options);
    options.clip_gradient = 1e6;
    EXPECT_EQ(train(rows, nullptr, options).network, plain.network);
    options.clip_gradient = 0.1;
    const Trained clipped = train(rows, nullptr, options);
    EXPECT_FALSE(clipped.network == plain.network);
    EXPECT_LT(clipped.history.back().training, clipped.history.front().training);
}

TEST(ClippedTraining, SaysThatAGradientIsNotAFiniteNumberThoughTheLossIs) {
    TrainingRows rows = easy_rows(100, 1);
    rows.inputs *= 1e30F;
    TrainOptions options = retry_options();
    options.hidden = {};
    options.clip_gradient = 1;
    EXPECT_NE(test::sentence_of(ErrorKind::other, [&] { (void)train(rows, nullptr, options); })
                  .find("training diverged in epoch 1: the gradient is not a finite number"),
              std::string::npos);
}

TEST(Retry, AndClippingAreRefusedBelowZero) {
    TrainOptions options = retry_options();
    options.retries = -1;
    EXPECT_THROW((void)train(easy_rows(10, 1), nullptr, options), Error);
    options.retries = 0;
    options.clip_gradient = -1;
    EXPECT_THROW((void)train(easy_rows(10, 1), nullptr, options), Error);
}

}  // namespace
}  // namespace polyrx
