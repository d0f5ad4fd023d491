// SPDX-License-Identifier: Apache-2.0
// Values by group: by hand, that they add up to the whole, and what cannot be estimated.
#include "polyrx/evaluate/effects/by_group.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredSample;
using Groups = std::vector<std::size_t>;

// Two groups of three rows; in the second nobody received treatment 1, which is prescribed there.
ScoredSample six_rows() {
    ScoredSample study{Matrix(6, 0),       Matrix::Zero(6, 2), Matrix::Constant(6, 2, 0.5), Matrix(6, 2),
                       {0, 1, 0, 0, 0, 0}, {1, 2, 6, 1, 1, 4}, {0, 0, 0, 1, 1, 0}};
    study.scores << 1, 4, 2, 5, 6, 3, 0, 2, 0, 2, 3, 2;
    return study;
}

const Groups two_groups = {0, 0, 0, 1, 1, 1};

TEST(ByGroup, OfSixRowsByHand) {
    const ScoredSample study = six_rows();
    const auto groups = value_by_group(study.rows(), two_groups, 2);
    const GroupValue& first = groups[0];
    EXPECT_EQ(first.rows, 3U);
    EXPECT_EQ(first.weight, 3);
    EXPECT_EQ(first.received, (Groups{2, 1}));
    EXPECT_EQ(first.prescribed, (Groups{3, 0}));
    EXPECT_TRUE(first.never_observed.empty());
    EXPECT_DOUBLE_EQ(first.observed.known->value, 3);
    EXPECT_DOUBLE_EQ(first.treatments[0].known->value, 3);
    EXPECT_DOUBLE_EQ(first.treatments[0].known->standard_error, std::sqrt((4 + 1 + 9) / 2.0 / 3));
    EXPECT_DOUBLE_EQ(first.treatments[1].known->value, 4);
    EXPECT_DOUBLE_EQ(first.policy.known->value, 3);
    EXPECT_EQ(first.rival, 1);  // 0 is what all get
    EXPECT_DOUBLE_EQ(first.margin.known->value, 1);
    EXPECT_DOUBLE_EQ(first.margin.known->standard_error, std::sqrt((4 + 4 + 16) / 2.0 / 3));

    const GroupValue& second = groups[1];
    EXPECT_EQ(second.never_observed, std::vector<int>{1});
    EXPECT_EQ(second.treatments[1].reason, "not estimable: no row here received it");
    EXPECT_DOUBLE_EQ(second.policy.known->value, 7.0 / 3);
    EXPECT_EQ(second.rival, 0);
    EXPECT_DOUBLE_EQ(second.margin.known->value, 1 - 7.0 / 3);  // costs: the policy is worse
    // 1 + 2 + 1 + 2 in the first group and 1 + 1 + 1 + 1 in the second.
    const double factor = simultaneous_factor(10, 0.95);
    EXPECT_DOUBLE_EQ(second.policy.known->high, 7.0 / 3 + factor * second.policy.known->standard_error);
}

TEST(ByGroup, WhereMoreIsBetterTheRivalIsTheLargestAndTheMarginTurns) {
    ScoredSample study = six_rows();
    study.larger_is_better = true;
    const auto groups = value_by_group(study.rows(), two_groups, 2);
    EXPECT_DOUBLE_EQ(groups[0].policy.known->value, 3);  // the user's units and direction
    EXPECT_DOUBLE_EQ(groups[0].margin.known->value, -1);
    Rng rng(1, Draw::test);
    ScoredSample costs = scored_study(rng, 50, 3);
    ScoredSample gains = costs;
    gains.scores = -gains.scores;
    gains.larger_is_better = true;
    const Groups all(50, 0);
    const auto of_costs = value_by_group(costs.rows(), all, 1);
    const auto of_gains = value_by_group(gains.rows(), all, 1);
    EXPECT_EQ(of_costs[0].rival, of_gains[0].rival);
    EXPECT_EQ(of_costs[0].margin.known->value, of_gains[0].margin.known->value);
    EXPECT_EQ(of_costs[0].policy.known->value, -of_gains[0].policy.known->value);
}

TEST(ByGroup, TheRivalIsTheTreatmentWithTheBestWorseBound) {
    // Treatments 1 and 2 are not prescribed. Nobody knows what 1 comes to in two of the rows: from -10 to 10.
    ScoredSample study{Matrix(4, 0), Matrix::Zero(4, 3), Matrix::Constant(4, 3, 1.0 / 3), Matrix(4, 3), {0, 1, 2, 0},
                       {1, 2, 3, 1}, {0, 0, 0, 0}};
    study.scores << 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3;
    const std::vector<TreatmentSet> supported = {0b101, 0b111, 0b111, 0b101};
    for (const bool larger_is_better : {false, true}) {
        if (larger_is_better) study.scores.col(1).setConstant(4);
        study.larger_is_better = larger_is_better;
        ScoredRows rows = study.rows();
        rows.supported = supported;
        rows.range = {-10, 10, RangeOrigin::declared};
        const GroupValue value = value_by_group(rows, Groups(4, 0), 1)[0];
        ASSERT_TRUE(value.treatments[1].known->upper);
        EXPECT_EQ(value.rival, 2) << larger_is_better;
    }
}

TEST(ByGroup, AddUpToTheWhole) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(2, Draw::test, index);
        ScoredSample study = scored_study(rng, 400, 3);
        if (index % 2 == 1) study.weight = test::random_weights(rng, 400);
        Groups group(400);
        for (std::size_t& g : group) g = rng.below(4);
        const auto parts = value_by_group(study.rows(), group, 4);
        const GroupValue whole = value_by_group(study.rows(), Groups(400, 0), 1)[0];
        const auto adds_up = [&](const auto& estimate_of) {
            double sum = 0;
            for (const GroupValue& part : parts) sum += part.weight * estimate_of(part).known->value;
            EXPECT_NEAR(sum / whole.weight, estimate_of(whole).known->value, 1e-10);
        };
        adds_up([](const GroupValue& g) { return g.observed; });
        adds_up([](const GroupValue& g) { return g.policy; });
        Groups received(3, 0);
        Groups prescribed(3, 0);
        std::size_t rows = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            adds_up([&](const GroupValue& g) { return g.treatments[k]; });
            for (const GroupValue& part : parts) {
                received[k] += part.received[k];
                prescribed[k] += part.prescribed[k];
                rows += part.received[k];
            }
        }
        EXPECT_EQ(received, whole.received);
        EXPECT_EQ(prescribed, whole.prescribed);
        EXPECT_EQ(rows, 400U);
        EXPECT_NEAR(whole.policy.known->value, doubly_robust_value(study.scores, study.prescriptions, study.weight),
                    1e-10);
    }
}

TEST(ByGroup, DoesNotDependOnTheOrderOfRows) {
    Rng rng(3, Draw::test);
    ScoredSample study = scored_study(rng, 90, 3);
    study.weight = test::random_weights(rng, 90);
    Groups group(90);
    for (std::size_t i = 0; i < 90; ++i) {
        group[i] = rng.below(3);
        study.cluster.push_back(rng.below(30));
    }
    const auto order = test::random_order(rng, 90);
    Groups moved;
    for (const std::size_t row : order) moved.push_back(group[row]);
    const auto before = value_by_group(study.rows(), group, 3);
    const auto after = value_by_group(reordered(study, order).rows(), moved, 3);
    for (std::size_t g = 0; g < 3; ++g) {
        EXPECT_EQ(before[g].received, after[g].received);
        EXPECT_EQ(before[g].rival, after[g].rival);
        EXPECT_NEAR(before[g].policy.known->value, after[g].policy.known->value, 1e-12);
        EXPECT_NEAR(before[g].policy.known->low, after[g].policy.known->low, 1e-12);
        EXPECT_NEAR(before[g].margin.known->high, after[g].margin.known->high, 1e-12);
    }
}

TEST(ByGroup, OneRowAndNoRowsAreNotEstimable) {
    const auto groups = value_by_group(six_rows().rows(), Groups{0, 0, 0, 0, 0, 2}, 3);
    EXPECT_EQ(groups[1].rows, 0U);
    EXPECT_EQ(groups[1].policy.reason, "not estimable: there are no rows");
    EXPECT_EQ(groups[1].treatments[0].reason, "not estimable: there are no rows");
    EXPECT_EQ(groups[2].observed.reason, "not estimable: there is one row, which has no spread");
    EXPECT_EQ(groups[2].policy.reason, "not estimable: there is one row, which has no spread");
    EXPECT_EQ(groups[2].margin.reason, "not estimable: there is one row, which has no spread");
    EXPECT_EQ(groups[2].rival, std::nullopt);
}

TEST(ByGroup, NobodyReceivedWhatWasPrescribed) {
    ScoredSample study = six_rows();
    study.prescriptions = {0, 0, 0, 1, 1, 1};
    const auto groups = value_by_group(study.rows(), two_groups, 2);
    EXPECT_EQ(groups[1].policy.reason, "not estimable: no row received what was prescribed");
    EXPECT_EQ(groups[1].margin.reason, groups[1].policy.reason);
    study.prescriptions = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(value_by_group(study.rows(), two_groups, 2)[1].margin.reason,
              "not estimable: no row here received another treatment");
}

TEST(ByGroup, IntervalsCoverTheTruthOfAllGroupsAtOnce) {
    constexpr int draws = 300;
    int covered = 0;
    for (int draw = 0; draw < draws; ++draw) {
        Rng rng(4, Draw::test, static_cast<std::uint64_t>(draw));
        // What a treatment is worth depends on nothing, so that the truth of every group is the same.
        ScoredSample study = scored_study(rng, 400, 2, [](double x0, double x1, int k) { return k - x0 - x1; });
        Groups group(400);
        for (std::size_t& g : group) g = rng.below(4);
        bool all = true;
        for (const GroupValue& value : value_by_group(study.rows(), group, 4))
            for (int k = 0; k < 2; ++k) {
                const auto& known = *value.treatments[static_cast<std::size_t>(k)].known;
                all = all && known.low <= k && k <= known.high;
            }
        covered += all ? 1 : 0;
    }
    EXPECT_GT(covered, draws * 0.95 - 3.3 * std::sqrt(draws * 0.95 * 0.05));
}

TEST(ByGroup, BadInputIsOneSentence) {
    const ScoredSample study = six_rows();
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)value_by_group(study.rows(), two_groups, 1); }),
              "row 4: group 1 is none of 1 groups");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)value_by_group(study.rows(), Groups{0, 0}, 1); }),
              "2 rows have a group, but there are 6 rows");
}

TEST(CrossTable, CountsEveryRowOnce) {
    EXPECT_EQ(cross_table(six_rows().rows()), (std::vector<Groups>{{3, 2}, {1, 0}}));
}

}  // namespace
}  // namespace polyrx
