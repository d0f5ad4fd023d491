// SPDX-License-Identifier: Apache-2.0
// How far causal trees are pruned, against growing, pruning and judging by the definitions.
#include <gtest/gtest.h>

#include <numeric>

#include "polyrx/core/infinity.hpp"
#include "polyrx/nuisance/stratified_folds.hpp"
#include "tests/support/slow_honest_criterion.hpp"

namespace polyrx {
namespace {

using test::LiteralHonestCriterion;
using test::Rows;

constexpr double room = 1e-12;

// A tree as its nodes' rows.
struct SlowTree {
    Rows rows;
    std::vector<SlowTree> children;  // none or two
};

// By trying every split. Each leaf has two held-out rows of each arm, if there are any.
SlowTree grow(const LiteralHonestCriterion& literal, const Rows& held_out, const Rows& rows) {
    const auto is_allowed = [&](const Rows& side) {
        return literal.is_allowed(side) && (held_out.empty() || (literal.of_arm(side, held_out, 0).size() >= 2 &&
                                                                 literal.of_arm(side, held_out, 1).size() >= 2));
    };
    SlowTree tree{rows, {}};
    if (!is_allowed(rows)) return tree;
    double best = literal.worth(rows) + room;
    test::Sides chosen;
    for (std::size_t f = 0; f < literal.study.features.features(); ++f)
        test::for_each_split(literal.study.features, rows, f, [&](const test::Sides& sides) {
            if (!is_allowed(sides.left) || !is_allowed(sides.right)) return;
            const double worth = literal.worth(sides.left) + literal.worth(sides.right);
            if (worth <= best) return;
            best = worth;
            chosen = sides;
        });
    if (chosen.left.empty()) return tree;
    tree.children.push_back(grow(literal, held_out, chosen.left));
    tree.children.push_back(grow(literal, held_out, chosen.right));
    return tree;
}

struct Pruned {
    std::vector<Rows> leaves;
    double worth = 0;
    double next_price = infinity;  // at which it becomes smaller
};

Pruned prune(const LiteralHonestCriterion& literal, const SlowTree& tree, double price) {
    const double worth = literal.worth(tree.rows);
    Pruned leaf{{tree.rows}, worth, infinity};
    if (tree.children.empty()) return leaf;
    Pruned branch = prune(literal, tree.children[0], price);
    const Pruned right = prune(literal, tree.children[1], price);
    branch.leaves.insert(branch.leaves.end(), right.leaves.begin(), right.leaves.end());
    branch.worth += right.worth;
    const double link = (branch.worth - worth) / static_cast<double>(branch.leaves.size() - 1);
    branch.next_price = std::min({branch.next_price, right.next_price, link});
    return link <= price + room ? leaf : branch;
}

// One for each tree of the sequence: the geometric mean of the prices between which it is best.
std::vector<double> prices_of(const LiteralHonestCriterion& literal, const SlowTree& tree) {
    std::vector<double> prices;
    for (double price = 0;;) {
        const Pruned now = prune(literal, tree, price);
        if (now.leaves.size() == 1) break;
        prices.push_back(std::sqrt(price * now.next_price));
        price = now.next_price;
    }
    prices.push_back(infinity);
    return prices;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By price: what each fold says.
std::vector<std::vector<double>> judge(const LiteralHonestCriterion& literal, const CausalTreeOptions& options,
                                       const std::vector<double>& prices) {
    const Rows& structure = literal.halves.structure;
    std::vector<int> arm;
    for (const std::size_t row : structure) arm.push_back(literal.study.treatment[row]);
    const auto fold_of = stratified_folds(arm, options.folds, Rng(options.seed, Draw::folds));
    std::vector<std::vector<double>> judged(prices.size());
    for (std::size_t fold = 0; fold < options.folds; ++fold) {
        LiteralHonestCriterion others = literal;
        Rows held_out;
        others.halves.structure.clear();
        for (std::size_t i = 0; i < arm.size(); ++i)
            (fold_of[i] == fold ? held_out : others.halves.structure).push_back(structure[i]);
        const SlowTree tree = grow(others, held_out, literal.study.all());
        for (std::size_t i = 0; i < prices.size(); ++i) {
            double sum = 0;
            for (const Rows& leaf : prune(others, tree, prices[i]).leaves) sum += others.worth(leaf, held_out);
            judged[i].push_back(sum);
        }
    }
    return judged;
}

std::size_t good_enough(const std::vector<std::vector<double>>& judged, double errors) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < judged.size(); ++i)
        if (mean(judged[i]) >= mean(judged[best]) - room) best = i;
    std::size_t taken = best;
    for (std::size_t i = best; i < judged.size(); ++i) {
        std::vector<double> lost;
        for (std::size_t fold = 0; fold < judged[i].size(); ++fold)
            lost.push_back(judged[best][fold] - judged[i][fold]);
        double squares = 0;
        for (const double each : lost) squares += std::pow(each - mean(lost), 2);
        const auto folds = static_cast<double>(lost.size());
        if (mean(lost) <= errors * std::sqrt(squares / (folds - 1) / folds) + room) taken = i;
    }
    return taken;
}

TEST(CausalTree, IsPrunedAtTheHighestPriceThatFoldsSayIsGoodEnough) {
    std::size_t shortened = 0;
    std::size_t split = 0;
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(1, Draw::test, index);
        test::ComparedRows rows = test::compared_rows(rng, 160, 2, 0);
        rows.features.levels = {0, 0};
        for (Eigen::Index i = 0; i < 160; ++i)
            rows.features.values.row(i) << rng.normal() + rows.effect[static_cast<std::size_t>(i)], rng.normal();
        CausalTreeOptions options;
        options.arm_rows = 3;
        options.folds = 3;
        options.errors = index % 2 == 0 ? 1 : 0;

        const LiteralHonestCriterion literal{rows, honest_halves(rows.all(), rows.treatment, options.seed),
                                             options.arm_rows};
        const SlowTree whole = grow(literal, {}, rows.all());
        const std::vector<double> prices = prices_of(literal, whole);
        const std::size_t taken = good_enough(judge(literal, options, prices), options.errors);
        const Pruned expected = prune(literal, whole, prices[taken]);

        const CausalTree found =
            fit_causal_tree(rows.features, rows.all(), rows.treatment, rows.outcome, rows.weight, options);
        EXPECT_EQ(leaf_count(found.tree), expected.leaves.size());
        for (const Rows& leaf : expected.leaves)
            for (const std::size_t row : leaf)
                EXPECT_EQ(leaf_of(found.tree, rows.features, row), leaf_of(found.tree, rows.features, leaf.front()));
        shortened += taken > 0 ? 1 : 0;
        split += expected.leaves.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(shortened, 5U);
    EXPECT_GT(split, 5U);
}

}  // namespace
}  // namespace polyrx
