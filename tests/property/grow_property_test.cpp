// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "polyrx/extract/supported/best_split.hpp"
#include "polyrx/extract/supported/drawn_rows.hpp"
#include "polyrx/extract/supported/grow.hpp"
#include "polyrx/tree/guard.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

struct GrownCase {
    Domain domain;
    ReluNetwork network;
    Matrix rows;
};

GrownCase random_case(std::uint64_t seed, Eigen::Index rows) {
    Rng rng(seed, Draw::test);
    GrownCase made;
    made.domain = test::mixed_domain(1 + static_cast<Eigen::Index>(rng.below(4)));
    std::vector<Eigen::Index> widths = test::random_widths(rng, seed % 4, 12, 2 + static_cast<Eigen::Index>(seed % 4));
    widths[0] = made.domain.inputs();
    made.network = test::random_network(rng, widths);
    made.rows = test::uniform_rows(rng, made.domain, rows);
    return made;
}

// n times the Gini impurity, from its definition.
double impurity(const std::vector<int>& treatments) {
    std::map<int, double> counts;
    for (const int k : treatments) ++counts[k];
    const auto n = static_cast<double>(treatments.size());
    double gini = 1;
    for (const auto& [k, count] : counts) gini -= count / n * (count / n);
    return n * gini;
}

// The gain of yes: value > threshold; 0 if a side has too few.
double slow_gain(const std::vector<double>& values, const std::vector<int>& treatments, double threshold,
                 std::size_t min_rows) {
    std::vector<int> yes;
    std::vector<int> no;
    for (std::size_t i = 0; i < values.size(); ++i) (values[i] > threshold ? yes : no).push_back(treatments[i]);
    if (yes.size() < min_rows || no.size() < min_rows) return 0;
    return impurity(treatments) - impurity(yes) - impurity(no);
}

TEST(BestSplit, GainsAsMuchAsAnyCutOfAnyCandidateOrNearlyAsMuchWithFewerInputs) {
    int split_rounds = 0;
    for (std::uint64_t round = 0; round < 40; ++round) {
        const GrownCase made = random_case(round, 120);
        const std::size_t min_rows = 1 + round % 9;
        const LabeledRows rows = label_rows(made.network, {}, made.domain, made.rows, 1);
        TreatmentCounts counts(static_cast<std::size_t>(made.network.outputs()));
        for (const int k : rows.treatment) ++counts[static_cast<std::size_t>(k)];
        std::vector<Eigen::Index> members(rows.size());
        std::iota(members.begin(), members.end(), Eigen::Index{0});
        const std::vector<CandidateSplit> candidates =
            candidate_splits(made.network, made.domain, rows, members, counts);

        double best = 0;
        double best_of_one_input = 0;
        for (const CandidateSplit& candidate : candidates) {
            std::vector<double> values;
            for (Eigen::Index row = 0; row < made.rows.rows(); ++row)
                values.push_back(candidate.function(made.rows.row(row).transpose()));
            std::vector<double> thresholds = {0};
            if (candidate.movable) thresholds = values;
            for (const double threshold : thresholds) {
                const double gain = slow_gain(values, rows.treatment, threshold, min_rows);
                best = std::max(best, gain);
                if ((candidate.function.weights.array() != 0).count() == 1)
                    best_of_one_input = std::max(best_of_one_input, gain);
            }
        }
        const auto split = best_split(candidates, made.domain, rows, members, min_rows, 1);
        ASSERT_EQ(split.has_value(), best > 1e-9) << "round " << round;
        if (!split) continue;
        ++split_rounds;
        std::vector<double> values;
        for (Eigen::Index row = 0; row < made.rows.rows(); ++row)
            values.push_back(split->function(made.rows.row(row).transpose()));
        EXPECT_NEAR(split->gain, slow_gain(values, rows.treatment, 0, min_rows), 1e-9) << "round " << round;
        EXPECT_GE(split->gain, best * (1 - near_best) - 1e-9) << "round " << round;
        EXPECT_LE(split->gain, best + 1e-9) << "round " << round;
        if (best_of_one_input >= best * (1 - near_best) + 1e-9) {
            EXPECT_EQ((split->function.weights.array() != 0).count(), 1) << "round " << round;
        }
    }
    EXPECT_GT(split_rounds, 20);
}

TEST(BestCut, IsTheBestOfAllCutsBetweenDifferentValues) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const std::size_t min_rows = 1 + rng.below(4);
        std::vector<ValuedRow> rows(1 + rng.below(40));
        std::vector<double> values;
        std::vector<int> treatments;
        TreatmentCounts all(3);
        for (ValuedRow& row : rows) {
            row = {static_cast<double>(rng.below(12)), static_cast<int>(rng.below(3)), true};
            values.push_back(row.value);
            treatments.push_back(row.treatment);
            ++all[static_cast<std::size_t>(row.treatment)];
        }
        double best = 0;
        for (const double threshold : values) best = std::max(best, slow_gain(values, treatments, threshold, min_rows));
        const Cut cut = best_cut(rows, all, min_rows);
        EXPECT_NEAR(cut.gain, best, 1e-9) << "round " << round;
        if (cut.gain > 0) {
            EXPECT_NEAR(slow_gain(values, treatments, cut.below, min_rows), best, 1e-9);
        }
        EXPECT_LE(cut.below, cut.above);
    }
}

TEST(DrawnRows, LieInTheDomainAndHaveEveryInputOfSomeMember) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        const GrownCase made = random_case(round, 30);
        const std::vector<Eigen::Index> members = {1, 4, 5, 20};
        const Matrix drawn = draw_rows(made.domain, made.rows, members, 100, round);
        for (Eigen::Index row = 0; row < drawn.rows(); ++row) {
            EXPECT_TRUE(contains(made.domain, drawn.row(row).transpose()));
            for (Eigen::Index input = 0; input < drawn.cols(); ++input)
                EXPECT_TRUE(std::any_of(members.begin(), members.end(), [&](Eigen::Index member) {
                    return made.rows(member, input) == drawn(row, input);
                }));
        }
        EXPECT_EQ(draw_rows(made.domain, made.rows, members, 40, round), drawn.topRows(40));
    }
}

TEST(GrowTree, KeepsItsBoundsAndCountsEveryRowWhereItArrives) {
    for (std::uint64_t round = 0; round < 12; ++round) {
        const GrownCase made = random_case(100 + round, 40 + 60 * static_cast<Eigen::Index>(round));
        const GrowOptions options{.max_leaves = 1 + 3 * round,
                                  .min_rows = 1 + round % 6,
                                  .held_out = round % 3 == 0 ? 0 : 0.2,
                                  .drawn_up_to = round % 2 == 0 ? 0U : 2000U};
        const Tree tree = grow_tree(made.network, made.domain, made.rows, options);
        check_well_formed(tree, static_cast<int>(made.network.outputs()));
        EXPECT_LE(leaf_count(tree), options.max_leaves);

        const std::vector<int> prescribed = argmin_rows(forward(made.network, made.rows));
        std::vector<std::size_t> arrived(tree.nodes.size());
        std::vector<std::map<int, std::size_t>> treatments(tree.nodes.size());
        for (Eigen::Index row = 0; row < made.rows.rows(); ++row) {
            const auto leaf = static_cast<std::size_t>(leaf_of(tree, made.rows.row(row).transpose()));
            ++arrived[leaf];
            ++treatments[leaf][prescribed[static_cast<std::size_t>(row)]];
        }
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            const Node& node = tree.nodes[i];
            if (const auto* split = std::get_if<Split>(&node.what)) {
                const auto yes = static_cast<std::size_t>(split->yes);
                const auto no = static_cast<std::size_t>(split->no);
                arrived[i] = arrived[yes] + arrived[no];
                EXPECT_EQ(node.rows, arrived[i]);
                EXPECT_EQ(split->guard, guard_for(split->function, made.domain));
                const auto* one = std::get_if<Leaf>(&tree.nodes[yes].what);
                const auto* other = std::get_if<Leaf>(&tree.nodes[no].what);
                EXPECT_FALSE(one && other && one->treatment == other->treatment) << "siblings were not merged";
            } else {
                const Leaf& leaf = std::get<Leaf>(node.what);
                EXPECT_EQ(node.rows, arrived[i]);
                EXPECT_GE(node.rows, std::min<std::size_t>(options.min_rows, tree.rows));
                EXPECT_EQ(leaf_of(tree, leaf.inside), static_cast<int>(i));
                EXPECT_EQ(argmin_rows(forward(made.network, leaf.inside.transpose()))[0], leaf.treatment);
                if (tree.held_out > 0) continue;
                for (const auto& [treatment, count] : treatments[i])
                    EXPECT_LE(count, treatments[i].at(leaf.treatment)) << "not the commonest";
            }
        }
        EXPECT_EQ(tree.nodes[0].rows, tree.rows);
    }
}

TEST(GrowTree, IsTheSameForAnyNumberOfThreads) {
    GrownCase made = random_case(3, 3000);
    Rng rng(3, Draw::test, 1);
    made.network = test::random_network(rng, {made.domain.inputs(), 12, 12, 3});
    const Tree one = grow_tree(made.network, made.domain, made.rows, {.max_leaves = 20, .threads = 1});
    const Tree three = grow_tree(made.network, made.domain, made.rows, {.max_leaves = 20, .threads = 3});
    EXPECT_GT(leaf_count(one), 5U);
    EXPECT_EQ(one.nodes, three.nodes);
    EXPECT_EQ(one.fidelity, three.fidelity);
}

TEST(GrowTree, FollowsItsSeedInNothingButWhatIsHeldOutAndDrawn) {
    const GrownCase made = random_case(7, 400);
    const GrowOptions plain{.held_out = 0, .seed = 1, .drawn_up_to = 0};
    GrowOptions other = plain;
    other.seed = 2;
    EXPECT_EQ(grow_tree(made.network, made.domain, made.rows, plain).nodes,
              grow_tree(made.network, made.domain, made.rows, other).nodes);
}

TEST(GrowTree, AgreesWithTheNetworkOnMoreHeldOutRowsThanAlwaysGivingTheCommonestTreatment) {
    for (std::uint64_t round = 0; round < 8; ++round) {
        const GrownCase made = random_case(200 + round, 2000);
        const Tree leaf = grow_tree(made.network, made.domain, made.rows, {.max_leaves = 1});
        const Tree tree = grow_tree(made.network, made.domain, made.rows, {.max_leaves = 32});
        EXPECT_GE(*tree.fidelity, 0.9) << "round " << round;
        EXPECT_GE(*tree.fidelity, *leaf.fidelity) << "round " << round;
    }
}

}  // namespace
}  // namespace polyrx
