// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/scorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "polyrx/encode/input_domain.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/tree_scorer.hpp"
#include "tests/support/random_support.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/slow_prescribe.hpp"
#include "tests/support/table_makers.hpp"
#include "tests/support/ward_rules.hpp"

namespace polyrx {
namespace {

// The table in pieces of so many rows, the last of which may be smaller.
std::vector<Table> batches_of(const Table& table, std::size_t size) {
    std::vector<Table> batches;
    for (std::size_t first = 0; first < table.rows(); first += size) {
        std::vector<std::size_t> rows(std::min(size, table.rows() - first));
        std::iota(rows.begin(), rows.end(), first);
        batches.push_back(table.take(rows));
    }
    return batches;
}

// The same rows as another file would have them: columns in another order, one that nobody asks for, categories in
// another order, and one that the policy never saw.
Table as_another_file(Rng& rng, const Table& table) {
    std::vector<Column> columns = table.columns();
    for (Column& column : columns) {
        auto* texts = std::get_if<CategoricalColumn>(&column.values);
        if (!texts) continue;
        const auto count = static_cast<std::int32_t>(texts->categories.size());
        std::ranges::reverse(texts->categories);
        texts->categories.insert(texts->categories.begin(), "unheard of");
        for (std::int32_t& code : texts->codes) {
            if (code != CategoricalColumn::missing) code = count - code;
            if (rng.bernoulli(0.05)) code = 0;
        }
    }
    columns.push_back(test::numbers("not asked for", std::vector<double>(table.rows())));
    rng.shuffle(std::span(columns));
    return Table(std::move(columns));
}

void expect_same(const Prescriptions& given, const Prescriptions& expected, std::size_t first) {
    for (std::size_t i = 0; i < given.treatment.size(); ++i)
        ASSERT_EQ(given.treatment[i], expected.treatment[first + i]) << "row " << first + i;
    for (std::size_t i = 0; i < given.reasons.size(); ++i)
        ASSERT_EQ(given.reasons[i], expected.reasons[first + i]) << "row " << first + i;
    if (given.outcomes.size() > 0) {
        ASSERT_EQ(given.outcomes,
                  expected.outcomes.middleRows(static_cast<Eigen::Index>(first), given.outcomes.rows()));
    }
}

// One scorer for batches of all sizes, with every answer that can be asked for.
void expect_same_in_any_batches(const Policy& policy, const Table& table) {
    const Prescriptions expected = test::slow_prescribe(policy, table, Unseen::ignore);
    const Scorer scorer(policy);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1024}, table.rows()})
        for (const auto& [outcomes, reasons] : {std::pair(false, false), {true, false}, {true, true}}) {
            std::size_t first = 0;
            for (const Table& batch : batches_of(table, size)) {
                const Prescriptions given = scorer.prescribe(
                    batch, {.unseen = Unseen::ignore, .threads = 2, .outcomes = outcomes, .reasons = reasons});
                ASSERT_EQ(given.treatment.size(), batch.rows());
                ASSERT_EQ(given.outcomes.size() > 0, outcomes);
                ASSERT_EQ(!given.reasons.empty(), reasons);
                expect_same(given, expected, first);
                first += batch.rows();
            }
        }
}

// Under rules, under support, under both or under neither; with inputs that the network ignores or without.
Policy random_ruled_policy(Rng& rng, std::uint64_t round) {
    Policy policy = test::random_policy(rng, 1 + rng.below(6));
    const Domain domain = domain_of(policy.encoder);
    std::vector<BoundRule> rules;
    std::vector<SupportRule> support;
    if (round % 2 == 1) rules = test::random_bound_rules(rng, domain, 3, 1 + rng.below(4)).rules();
    if (round % 4 >= 2) support = test::random_support(rng, domain, 3);
    policy.rules.bound = BoundRules(std::move(rules), 3, std::move(support));
    const auto ignored = static_cast<Eigen::Index>(rng.below(3));
    std::vector<Layer> layers = policy.network.layers();
    layers.front().weights.rightCols(ignored).setZero();
    policy.network = ReluNetwork(std::move(layers));
    return policy;
}

TEST(Scorer, PrescribesForBatchesOfAnySizeWhatTheSlowTwinDoesRowByRow) {
    for (std::uint64_t round = 0; round < 24; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const Policy policy = random_ruled_policy(rng, round);
        const Table table = test::random_table(rng, policy, 1 + rng.below(round % 6 == 0 ? 2500 : 150));
        expect_same_in_any_batches(policy, round % 3 == 0 ? table : as_another_file(rng, table));
    }
}

TEST(Scorer, PrescribesWhatEachBaselineDoes) {
    Rng rng(1, Draw::test);
    Observations study;
    study.features = test::ward_table(rng, 120);
    study.treatments = {"A", "B"};
    for (std::size_t i = 0; i < study.features.rows(); ++i) {
        study.treatment.push_back(static_cast<int>(i % 2));
        study.outcome.push_back(rng.normal() + study.treatment.back());
        study.weight.push_back(1);
    }
    const Table asked = as_another_file(rng, test::ward_table(rng, 90));
    for (const Method method : {Method::constant, Method::rc_lr, Method::rc_rf, Method::ct, Method::pt, Method::pf,
                                Method::policytree, Method::opt}) {
        SCOPED_TRACE(name_of(method));
        FitOptions options;
        options.method = method;
        options.baseline.optimal_tree.restarts = 1;
        const Policy policy = fit(study, options).policy;
        expect_same_in_any_batches(policy, asked);
    }
}

TEST(TreeScorer, PrescribesForBatchesOfAnySizeWhatItDoesForTheWholeTable) {
    for (std::uint64_t round = 0; round < 12; ++round) {
        Rng rng(round, Draw::test);
        const Policy policy = random_ruled_policy(rng, round);
        const TreePolicy tree = test::random_tree(rng, policy, 1 + rng.below(40));
        const Table table = as_another_file(rng, test::random_table(rng, policy, 1 + rng.below(200)));
        const PrescribeOptions options{.unseen = Unseen::ignore, .outcomes = true, .reasons = round % 2 == 0};
        const TreePrescriptions whole = prescribe(tree, table, options);
        const TreeScorer scorer(tree);
        for (const std::size_t size : {1, 7, 64}) {
            std::size_t first = 0;
            for (const Table& batch : batches_of(table, size)) {
                const TreePrescriptions given = scorer.prescribe(batch, options);
                expect_same(given.prescriptions, whole.prescriptions, first);
                for (std::size_t i = 0; i < batch.rows(); ++i) {
                    ASSERT_EQ(given.answered_by[i], whole.answered_by[first + i]);
                    ASSERT_EQ(given.node[i], whole.node[first + i]);
                }
                first += batch.rows();
            }
        }
    }
}

TEST(Scorer, RefusesWhatTheEncoderRefusesAndThenGoesOn) {
    Rng rng(1, Draw::test);
    const Policy policy = test::random_policy(rng, 2);
    const TreePolicy tree = test::random_tree(rng, policy, 5);
    const Scorer scorer(policy);
    const TreeScorer tree_scorer(tree);
    const Table good = test::random_table(rng, policy, 3);
    const auto with = [&](const Column& other) {
        std::vector<Column> columns = good.columns();
        *std::ranges::find(columns, other.name, &Column::name) = other;
        return Table(std::move(columns));
    };
    const std::vector<std::string> all_but_first = [&] {
        std::vector<std::string> names;
        for (const Column& column : good.columns()) names.push_back(column.name);
        names.erase(names.begin());
        return names;
    }();
    const std::vector<int> expected = scorer.prescribe(good).treatment;
    for (const Table& bad : {good.select(all_but_first), with(test::truths("x0", {0, 1, 0})),
                             with(test::numbers("x1", {0, std::numeric_limits<double>::infinity(), 0})),
                             with(test::texts("sex", {"F", "X"}, {0, 1, 0}))}) {
        const std::string refusal = test::sentence_of(ErrorKind::data, [&] { (void)policy.encoder.encode(bad); });
        EXPECT_NE(refusal, "(no error)");
        EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)scorer.prescribe(bad); }), refusal);
        EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)tree_scorer.prescribe(bad); }), refusal);
        EXPECT_EQ(scorer.prescribe(good).treatment, expected);
    }
}

}  // namespace
}  // namespace polyrx
