// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/causal/causal_tree.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "polyrx/baselines/causal/honest_criterion.hpp"
#include "polyrx/baselines/causal/prune_axis_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/learners/trees/forest.hpp"
#include "polyrx/nuisance/stratified_folds.hpp"

namespace polyrx {
namespace {

using Part = HonestCriterion::Part;

// The rows of one comparison, in the order of `rows`.
struct Comparison {
    const FeatureRows& features;
    std::span<const std::size_t> rows;
    std::vector<int> arm;
    std::vector<double> outcome;
    std::vector<double> weight;
    std::vector<Part> part;
};

BothArms arms_of(const Comparison& all, Part part, double center) {
    BothArms arms;
    for (std::size_t i = 0; i < all.rows.size(); ++i)
        if (all.part[i] == part) arms[static_cast<std::size_t>(all.arm[i])].add(all.weight[i], all.outcome[i] - center);
    return arms;
}

bool has_rows(const BothArms& arms, std::size_t least) {
    return std::min(arms[0].rows, arms[1].rows) >= least;
}

// Outcomes are centered: squares of large outcomes would lose the digits that variances need.
double center_of(const Comparison& all, Part part) {
    const BothArms arms = arms_of(all, part, 0);
    const double weight = arms[0].weight + arms[1].weight;
    return weight > 0 ? (arms[0].sum + arms[1].sum) / weight : 0;
}

// The sums of one part at each node, including inner nodes.
std::vector<BothArms> arms_by_node(const Comparison& all, const AxisTree& tree, Part part, double center) {
    std::vector<BothArms> arms(tree.nodes.size());
    for (std::size_t i = 0; i < all.rows.size(); ++i)
        if (all.part[i] == part)
            arms[static_cast<std::size_t>(leaf_of(tree, all.features, all.rows[i]))]
                [static_cast<std::size_t>(all.arm[i])]
                    .add(all.weight[i], all.outcome[i] - center);
    for (std::size_t node = tree.nodes.size(); node-- > 0;) {
        if (tree.nodes[node].is_leaf()) continue;
        const auto left = static_cast<std::size_t>(tree.nodes[node].left());
        for (std::size_t arm = 0; arm < 2; ++arm)
            for (const std::size_t child : {left, left + 1}) arms[node][arm].add(arms[child][arm]);
    }
    return arms;
}

std::size_t count(const Comparison& all, Part part) {
    return static_cast<std::size_t>(std::ranges::count(all.part, part));
}

// The worth of each node as a leaf, according to the sample `part`. Every node must have two rows of each arm.
std::vector<double> worth_by_node(const Comparison& all, const AxisTree& tree, Part part) {
    const std::vector<BothArms> arms = arms_by_node(all, tree, part, center_of(all, part));
    const HonestWorth worth(arms.front(), count(all, Part::estimation));
    std::vector<double> result;
    result.reserve(arms.size());
    for (const BothArms& each : arms) result.push_back(worth.of(each));
    return result;
}

struct Orders {
    Orders(const FeatureRows& features, std::span<const std::size_t> rows) : ranked(features, rows), binned(ranked) {
        for (std::size_t i = 0; i < rows.size(); ++i) sample.push_back(static_cast<RowIndex>(i));
    }
    RankedFeatures ranked;
    BinnedFeatures binned;
    std::vector<RowIndex> sample;
};

AxisTree grow(const Comparison& all, const Orders& orders, const CausalTreeOptions& options) {
    const double center = center_of(all, Part::structure);
    const BothArms arms = arms_of(all, Part::structure, center);
    if (!has_rows(arms, options.arm_rows)) return {{AxisNode{}}, {}};
    std::vector<HonestCriterion::Row> rows;
    rows.reserve(all.rows.size());
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        const double w = all.part[i] == Part::structure ? all.weight[i] : 0;
        const double y = all.part[i] == Part::structure ? all.outcome[i] - center : 0;
        rows.push_back({w, w * y, w * y * y, static_cast<std::uint32_t>(all.arm[i]), all.part[i]});
    }
    const std::size_t to_judge = count(all, Part::held_out) > 0 ? 2 : 0;
    HonestCriterion criterion(std::move(rows), HonestWorth(arms, count(all, Part::estimation)),
                              {options.arm_rows, options.arm_rows, to_judge});
    GrowLimits limits;
    limits.depth = options.depth;
    // The grower examines every feature at every node and draws no random numbers.
    return AxisTreeGrower(orders.ranked, orders.binned, orders.sample, criterion, limits,
                          Rng(options.seed, Draw::honest_halves))
        .grow();
}

// One price per tree of the pruning sequence.
std::vector<double> prices_of(const AxisTree& tree, std::span<const double> worth) {
    const std::vector<double> links = weakest_links(tree, worth);
    std::vector<double> prices;
    double from = 0;
    for (const double link : links) {
        prices.push_back(std::sqrt(from * link));
        from = link;
    }
    prices.push_back(std::numeric_limits<double>::infinity());
    return prices;
}

// For each price: the worth, in the fold, of the tree grown on the other folds and pruned at this price. Empty if the
// fold has too few rows of an arm.
std::vector<double> judge(const Comparison& fold, const Orders& orders, const CausalTreeOptions& options,
                          std::span<const double> prices) {
    if (!has_rows(arms_of(fold, Part::held_out, 0), 2) || !has_rows(arms_of(fold, Part::structure, 0), 2)) return {};
    const AxisTree tree = grow(fold, orders, options);
    const std::vector<double> worth = worth_by_node(fold, tree, Part::structure);
    const std::vector<double> held_out = worth_by_node(fold, tree, Part::held_out);
    std::vector<double> judged;
    for (const double price : prices) {
        const std::vector<char> is_leaf = leaves_at_price(tree, worth, price);
        double sum = 0;
        for (std::size_t node = 0; node < is_leaf.size(); ++node)
            if (is_leaf[node]) sum += held_out[node];
        judged.push_back(sum);
    }
    return judged;
}

// The mean difference between two prices. Differences per fold cancel what all trees have in common in a fold.
struct Difference {
    double mean = 0;
    double error = 0;  // the standard error of the mean
};

Difference difference(const std::vector<std::vector<double>>& judged, std::size_t one, std::size_t other) {
    const auto folds = static_cast<double>(judged.size());
    double mean = 0;
    for (const std::vector<double>& fold : judged) mean += (fold[one] - fold[other]) / folds;
    double squares = 0;
    for (const std::vector<double>& fold : judged) squares += std::pow(fold[one] - fold[other] - mean, 2);
    return {mean, folds > 1 ? std::sqrt(squares / (folds - 1) / folds) : 0};
}

double best_price(const Comparison& all, const Orders& orders, const CausalTreeOptions& options,
                  std::span<const double> prices, const Progress& progress) {
    std::vector<std::size_t> structure;
    std::vector<int> arm;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        if (all.part[i] != Part::structure) continue;
        structure.push_back(i);
        arm.push_back(all.arm[i]);
    }
    const std::vector<std::size_t> fold_of = stratified_folds(arm, options.folds, Rng(options.seed, Draw::folds));
    std::vector<std::vector<double>> judged(options.folds);
    std::atomic<std::size_t> done{1};  // starts at 1 for the tree itself
    parallel_for(options.folds, options.threads, [&](std::size_t fold) {
        report(progress, static_cast<double>(done) / static_cast<double>(options.folds + 1), "pruning the tree");
        Comparison without = all;
        for (std::size_t i = 0; i < structure.size(); ++i)
            if (fold_of[i] == fold) without.part[structure[i]] = Part::held_out;
        judged[fold] = judge(without, orders, options, prices);
        ++done;
    });
    std::erase_if(judged, [](const std::vector<double>& each) { return each.empty(); });
    if (judged.empty()) return prices.back();
    std::size_t best = 0;
    for (std::size_t i = 1; i < prices.size(); ++i)
        if (difference(judged, best, i).mean <= 0) best = i;
    for (std::size_t i = prices.size() - 1; i > best; --i)
        if (const Difference lost = difference(judged, best, i); lost.mean <= options.errors * lost.error)
            return prices[i];
    return prices[best];
}

ArmMeans means_of(const BothArms& arms) {
    const auto mean = [&](std::size_t arm) {
        if (arms[arm].rows > 0) return arms[arm].mean();
        return arms[1 - arm].rows > 0 ? arms[1 - arm].mean() : 0;
    };
    return {mean(0), mean(1), arms[0].rows, arms[1].rows};
}

std::vector<ArmMeans> estimate(const Comparison& all, const AxisTree& tree) {
    std::vector<BothArms> arms = arms_by_node(all, tree, Part::estimation, 0);
    if (!has_rows(arms.front(), 1)) {
        const BothArms others = arms_of(all, Part::structure, 0);
        for (std::size_t arm = 0; arm < 2; ++arm) arms.front()[arm].add(others[arm]);
    }
    std::vector<ArmMeans> means(tree.nodes.size());
    for (std::size_t node = 0; node < means.size(); ++node)
        if (tree.nodes[node].is_leaf()) means[node] = means_of(arms[node]);
    return means;
}

void check(const CausalTreeOptions& options) {
    if (options.arm_rows < 2)
        throw usage_error(
            fmt::format("leaves of a causal tree need at least 2 rows per arm, not {}", options.arm_rows));
    if (!(options.errors >= 0))
        throw usage_error(
            fmt::format("the number of standard errors for pruning must be at least 0, not {}", options.errors));
    if (options.folds == 1)
        throw usage_error("the number of folds for pruning must be at least 2, or 0 for no pruning, not 1");
}

std::vector<int> arms_of_rows(std::span<const std::size_t> rows, std::span<const int> treated) {
    std::vector<int> arm;
    arm.reserve(rows.size());
    for (const std::size_t row : rows) arm.push_back(treated[row]);
    return arm;
}

std::vector<std::size_t> half_of_rows(std::span<const int> arm, std::uint64_t seed) {
    return stratified_folds(arm, 2, Rng(seed, Draw::honest_halves));
}

}  // namespace

HonestHalves honest_halves(std::span<const std::size_t> rows, std::span<const int> treated, std::uint64_t seed) {
    const std::vector<std::size_t> half = half_of_rows(arms_of_rows(rows, treated), seed);
    HonestHalves halves;
    for (std::size_t i = 0; i < rows.size(); ++i)
        (half[i] == 0 ? halves.structure : halves.estimation).push_back(rows[i]);
    return halves;
}

CausalTree fit_causal_tree(const FeatureRows& features, std::span<const std::size_t> rows, std::span<const int> treated,
                           std::span<const double> outcome, std::span<const double> weight,
                           const CausalTreeOptions& options, const Progress& progress) {
    check(options);
    report(progress, 0, "growing the tree");
    Comparison all{features, rows, arms_of_rows(rows, treated), {}, {}, {}};
    for (const std::size_t row : rows) {
        all.outcome.push_back(outcome[row]);
        all.weight.push_back(weight.empty() ? 1 : weight[row]);
    }
    for (const std::size_t half : half_of_rows(all.arm, options.seed))
        all.part.push_back(half == 0 ? Part::structure : Part::estimation);

    const Orders orders(features, rows);
    CausalTree result;
    result.tree = grow(all, orders, options);
    if (options.folds > 0 && leaf_count(result.tree) > 1) {
        const std::vector<double> worth = worth_by_node(all, result.tree, Part::structure);
        const double price = best_price(all, orders, options, prices_of(result.tree, worth), progress);
        result.tree = pruned(result.tree, leaves_at_price(result.tree, worth, price));
    }
    result.means = estimate(all, result.tree);
    return result;
}

double effect_of(const CausalTree& tree, const FeatureRows& features, std::size_t row) {
    return tree.means[static_cast<std::size_t>(leaf_of(tree.tree, features, row))].effect();
}

Vector effects(const CausalTree& tree, const FeatureRows& features, int threads) {
    Vector result(static_cast<Eigen::Index>(features.rows()));
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        for (Eigen::Index i = 0; i < rows.rows(); ++i)
            result[first + i] =
                tree.means[static_cast<std::size_t>(leaf_of(tree.tree, rows.row(i).data(), 1))].effect();
    });
    return result;
}

}  // namespace polyrx
