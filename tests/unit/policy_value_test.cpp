// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/policy_value.hpp"

#include <gtest/gtest.h>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::sentence_of;

struct TenRows {
    std::vector<int> treatment{0, 0, 1, 1, 0, 1, 0, 1, 1, 0};
    std::vector<int> policy{0, 1, 1, 0, 0, 1, 1, 1, 0, 0};
    std::vector<double> outcome{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Matrix propensities{10, 2};
    Matrix outcomes = Matrix::Zero(10, 2);

    TenRows() {
        for (Eigen::Index i = 0; i < 10; ++i) propensities.row(i) << (i < 5 ? 0.5 : 0.25), (i < 5 ? 0.5 : 0.75);
    }
    [[nodiscard]] EvaluatedRows rows() const { return {treatment, outcome, outcomes, propensities}; }
};

TEST(PolicyValue, SelfNormalizedIsHajekByHandOnTenRows) {
    const TenRows ten;
    // Rows 0, 2, 4 match with weight 2, rows 5 and 7 with 4/3, row 9 with 4.
    const double numerator = 2 * (1 + 3 + 5) + 4.0 / 3 * (6 + 8) + 4 * 10;
    const double denominator = 3 * 2 + 2 * 4.0 / 3 + 4;
    EXPECT_DOUBLE_EQ(policy_value(ten.rows(), ten.policy, Estimator::snipw, 0).value.value(), numerator / denominator);
    EXPECT_DOUBLE_EQ(policy_value(ten.rows(), ten.policy, Estimator::ipw, 0).value.value(), numerator / 10);
    // With predictions of 0 there is nothing to correct but 0.
    EXPECT_DOUBLE_EQ(policy_value(ten.rows(), ten.policy, Estimator::dr, 0).value.value(), numerator / 10);
    EXPECT_EQ(policy_value(ten.rows(), ten.policy, Estimator::dm, 0).value.value(), 0);
    EXPECT_DOUBLE_EQ(value_as_treated(ten.rows()).value.value(), 5.5);
}

TEST(PolicyValue, SaysSoWhereItCannotBeEstimated) {
    TenRows ten;
    std::vector<int> never;
    for (const int t : ten.treatment) never.push_back(1 - t);
    for (const Estimator estimator : {Estimator::ipw, Estimator::snipw, Estimator::dr}) {
        const ValueEstimate value = policy_value(ten.rows(), never, estimator, 0.02);
        EXPECT_FALSE(value.value || value.standard_error);
        EXPECT_TRUE(value.influence.empty());
        EXPECT_EQ(value.reason, "not estimable: no row received what was prescribed");
    }
    EXPECT_TRUE(policy_value(ten.rows(), never, Estimator::dm, 0.02).value);
    ten.propensities.row(0) << 0, 1;
    EXPECT_EQ(policy_value(ten.rows(), ten.policy, Estimator::ipw, 0).reason,
              "not estimable: 1 of the rows received a treatment of propensity 0");
    EXPECT_EQ(policy_value(ten.rows(), ten.policy, Estimator::ipw, 0.01).clipped, 1U);
}

TEST(PolicyValue, TheDirectMethodHasNoStandardError) {
    const TenRows ten;
    const ValueEstimate value = policy_value(ten.rows(), ten.policy, Estimator::dm, 0.02);
    EXPECT_FALSE(value.standard_error);
    EXPECT_EQ(value.reason, "no standard error: the direct method does not measure the error of its predictions");
    EXPECT_EQ(value.terms.rows(), 10U);
}

TEST(PolicyValue, OneRowHasNoStandardError) {
    const std::vector<int> one{0};
    const std::vector<double> outcome{3};
    const Matrix half = Matrix::Constant(1, 2, 0.5);
    const ValueEstimate value = policy_value({one, outcome, half, half}, one, Estimator::snipw, 0.02);
    EXPECT_EQ(value.value, 3);
    EXPECT_FALSE(value.standard_error);
    EXPECT_EQ(value.reason, "no standard error: at least two rows are needed");
}

TEST(PolicyValue, NeedsOnlyWhatItsEstimatorUses) {
    const TenRows ten;
    const Matrix none;
    EXPECT_TRUE(
        policy_value({ten.treatment, ten.outcome, none, ten.propensities}, ten.policy, Estimator::ipw, 0).value);
    EXPECT_TRUE(policy_value({ten.treatment, ten.outcome, ten.outcomes, none}, ten.policy, Estimator::dm, 0).value);
    EXPECT_EQ(sentence_of(ErrorKind::usage,
                          [&] {
                              (void)policy_value({ten.treatment, ten.outcome, none, ten.propensities}, ten.policy,
                                                 Estimator::dr, 0);
                          }),
              "dr needs predicted outcomes of 10 rows and 2 treatments, not of 0 and 0");
}

TEST(PolicyValue, RefusesWhatIsNoPolicyAndWhatAreNoRows) {
    const TenRows ten;
    const auto sentence = [&](ErrorKind kind, const EvaluatedRows& rows, const std::vector<int>& policy,
                              double least = 0.02) {
        return sentence_of(kind, [&] { (void)policy_value(rows, policy, Estimator::dr, least); });
    };
    std::vector<int> policy = ten.policy;
    policy[3] = -1;
    EXPECT_EQ(sentence(ErrorKind::usage, ten.rows(), policy),
              "row 4 has no prescription: a policy has a value where it prescribes to every row");
    policy[3] = 2;
    EXPECT_EQ(sentence(ErrorKind::usage, ten.rows(), policy), "row 4: prescription 2 is none of 2 treatments");
    policy.pop_back();
    EXPECT_EQ(sentence(ErrorKind::usage, ten.rows(), policy), "9 prescriptions were given for 10 rows");
    EXPECT_EQ(sentence(ErrorKind::usage, ten.rows(), ten.policy, 1.5),
              "the least propensity must be from 0 to 1, not 1.5");

    EvaluatedRows rows = ten.rows();
    std::vector<double> weight(10, 0.0);
    rows.weight = weight;
    EXPECT_EQ(sentence(ErrorKind::data, rows, ten.policy), "all weights are 0: no row counts");
    weight[2] = -1;
    EXPECT_EQ(sentence(ErrorKind::usage, rows, ten.policy), "weights must be finite and at least 0, not -1");
    weight.resize(9);
    rows.weight = weight;
    EXPECT_EQ(sentence(ErrorKind::usage, rows, ten.policy), "9 weights were given for 10 rows");

    EvaluatedRows grouped = ten.rows();
    const std::vector<std::size_t> one_group(10, 7);
    grouped.group = one_group;
    EXPECT_EQ(sentence(ErrorKind::data, grouped, ten.policy),
              "all rows are in one group; at least two groups are needed for a standard error");
    const Matrix none(0, 2);
    EXPECT_EQ(sentence(ErrorKind::data, {{}, {}, none, none}, {}), "there are no rows to evaluate");
}

}  // namespace
}  // namespace polyrx
