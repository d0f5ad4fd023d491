// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/as_tree.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/feature_inputs.hpp"

namespace polyrx {
namespace {

// No guard band: there is no network to ask for rows near a split.
constexpr double no_guard = 1e-300;

// Treatments in ascending order of score; ties keep their order.
std::vector<int> by_score(std::span<const double> scores) {
    std::vector<int> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int treatment) { return scores[static_cast<std::size_t>(treatment)]; });
    return order;
}

void put_leaf(BaselineTree& tree, std::size_t at, std::vector<int> preference) {
    tree.tree.nodes[at].what = Leaf{preference.front(), std::nullopt, {}, {}};
    tree.preferences.resize(std::max(tree.preferences.size(), tree.tree.nodes.size()));
    tree.preferences[at] = std::move(preference);
}

class AxisTreeConverter {
public:
    AxisTreeConverter(const AxisTree& from, std::function<std::vector<int>(int)> preference_of, const Encoder& encoder,
                      Domain domain)
        : from_(from), preference_of_(std::move(preference_of)), encoder_(encoder), inputs_(feature_inputs(encoder)) {
        tree_.mode = TreeMode::whole;
        tree_.domain = std::move(domain);
    }

    [[nodiscard]] BaselineTree run() {
        tree_.nodes.emplace_back();
        std::vector<Pending> pending = {{0, 0}};
        while (!pending.empty()) {
            // Larger trees cannot be read.
            if (tree_.nodes.size() > most_nodes)
                throw usage_error("the tree has too many splits on missing values to show (more than 100,000 nodes)");
            const Pending next = pending.back();
            pending.pop_back();
            convert(next, pending);
        }
        return std::move(made_);
    }

private:
    static constexpr std::size_t most_nodes = 100'000;
    struct Pending {
        int from = 0;
        int to = 0;
        bool present = false;  // the split's feature is known not to be missing
    };

    void convert(const Pending& at, std::vector<Pending>& pending) {
        const AxisNode& node = from_.nodes[static_cast<std::size_t>(at.from)];
        if (node.is_leaf()) {
            put_leaf(made_, static_cast<std::size_t>(at.to), preference_of_(at.from));
            return;
        }
        const AxisSplit split = node.split();
        const FeatureInputs& of = inputs_[static_cast<std::size_t>(split.feature)];
        const Feature& feature = encoder_.features()[static_cast<std::size_t>(split.feature)];
        if (split.set >= 0) {
            AffineFunction function{Vector::Zero(tree_.domain.inputs()), -0.5};
            const LevelSet& set = from_.sets[static_cast<std::size_t>(split.set)];
            for (std::size_t c = 0; c < of.categories.size(); ++c)
                if (set.has(static_cast<int>(c))) function.weights[of.categories[c]] = 1;
            if (of.indicator >= 0 && split.missing_left) function.weights[of.indicator] = 1;
            divide(at.to, std::move(function), of.categories.front(), {node.left()}, {node.left() + 1}, pending);
            return;
        }
        const bool filled_left = feature.fill <= split.threshold;
        if (of.indicator >= 0 && !at.present && filled_left != split.missing_left) {
            AffineFunction missing{Vector::Unit(tree_.domain.inputs(), of.indicator), -0.5};
            divide(at.to, std::move(missing), of.indicator, {node.left() + (split.missing_left ? 0 : 1)},
                   {at.from, 0, true}, pending);
            return;
        }
        divide(at.to, {Vector::Unit(tree_.domain.inputs(), of.value), -split.threshold}, of.value, {node.left() + 1},
               {node.left()}, pending);
    }

    void divide(int at, AffineFunction function, Eigen::Index input, Pending yes, Pending no,
                std::vector<Pending>& pending) {
        yes.to = static_cast<int>(tree_.nodes.size());
        no.to = yes.to + 1;
        tree_.nodes.resize(tree_.nodes.size() + 2);
        tree_.nodes[static_cast<std::size_t>(at)].what =
            Split{std::move(function), no_guard, {SplitOrigin::Kind::cut, static_cast<int>(input), 0}, yes.to, no.to};
        pending.push_back(no);
        pending.push_back(yes);
    }

    const AxisTree& from_;
    std::function<std::vector<int>(int)> preference_of_;  // for a leaf: treatments from best to worst
    const Encoder& encoder_;
    std::vector<FeatureInputs> inputs_;
    BaselineTree made_;
    Tree& tree_ = made_.tree;
};

// Keeps the splits and their inputs.
BaselineTree converted(const OptimalTree& from, Domain domain) {
    BaselineTree made;
    Tree& tree = made.tree;
    tree.mode = TreeMode::whole;
    tree.domain = std::move(domain);
    for (const OptimalNode& node : from.nodes) {
        if (node.is_leaf()) {
            tree.nodes.emplace_back();
            put_leaf(made, tree.nodes.size() - 1, by_score(node.leaf.outcomes));
            continue;
        }
        Eigen::Index largest = 0;
        node.weights.cwiseAbs().maxCoeff(&largest);
        const SplitOrigin origin{SplitOrigin::Kind::cut, static_cast<int>(largest), 0};
        tree.nodes.push_back({Split{{node.weights, node.constant}, no_guard, origin, node.high, node.low}});
    }
    return made;
}

}  // namespace

std::optional<BaselineTree> as_tree(const Baseline& baseline, const Encoder& encoder, Domain domain) {
    if (const auto* personal = std::get_if<PersonalizationTree>(&baseline.model))
        return AxisTreeConverter(
                   personal->tree,
                   [&](int leaf) { return by_score(personal->leaves[static_cast<std::size_t>(leaf)].outcomes); },
                   encoder, std::move(domain))
            .run();
    if (const auto* optimal = std::get_if<OptimalTree>(&baseline.model)) return converted(*optimal, std::move(domain));
    const auto* effects = std::get_if<PairwiseEffects>(&baseline.model);
    if (!effects || effects->scheme != EffectScheme::plain || effects->pairs.size() != 1) return std::nullopt;
    const ComparedPair& pair = effects->pairs.front();
    const auto* causal = std::get_if<CausalTree>(&pair.model);
    if (!causal) return std::nullopt;
    return AxisTreeConverter(
               causal->tree,
               [&](int leaf) {
                   const double effect = causal->means[static_cast<std::size_t>(leaf)].effect();
                   std::vector<double> scores(2, 0.0);
                   scores[static_cast<std::size_t>(pair.treatment)] = effect;
                   return by_score(scores);
               },
               encoder, std::move(domain))
        .run();
}

}  // namespace polyrx
