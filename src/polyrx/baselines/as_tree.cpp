// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/as_tree.hpp"

#include <functional>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/feature_inputs.hpp"

namespace polyrx {
namespace {

// Nobody else is asked, whatever rounding decides.
constexpr double no_guard = 1e-300;

class Converter {
public:
    Converter(const AxisTree& from, std::function<int(int)> treatment_of, const Encoder& encoder, Domain domain)
        : from_(from), treatment_of_(std::move(treatment_of)), encoder_(encoder), inputs_(feature_inputs(encoder)) {
        tree_.mode = TreeMode::whole;
        tree_.domain = std::move(domain);
    }

    [[nodiscard]] Tree run() {
        tree_.nodes.emplace_back();
        std::vector<Pending> pending = {{0, 0}};
        while (!pending.empty()) {
            // Whoever sees a tree of more has not much of it.
            if (tree_.nodes.size() > most_nodes)
                throw usage_error("the tree has too many splits on missing values to be shown");
            const Pending next = pending.back();
            pending.pop_back();
            convert(next, pending);
        }
        return std::move(tree_);
    }

private:
    static constexpr std::size_t most_nodes = 100'000;
    struct Pending {
        int from = 0;
        int to = 0;
        bool present = false;  // of the split's feature it is known that it is not missing
    };

    void convert(const Pending& at, std::vector<Pending>& pending) {
        const AxisNode& node = from_.nodes[static_cast<std::size_t>(at.from)];
        if (node.is_leaf()) {
            tree_.nodes[static_cast<std::size_t>(at.to)].what = Leaf{treatment_of_(at.from), std::nullopt, {}, {}};
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
    std::function<int(int)> treatment_of_;  // of a leaf
    const Encoder& encoder_;
    std::vector<FeatureInputs> inputs_;
    Tree tree_;
};

// The same splits on the same inputs.
Tree converted(const OptimalTree& from, Domain domain) {
    Tree tree;
    tree.mode = TreeMode::whole;
    tree.domain = std::move(domain);
    for (const OptimalNode& node : from.nodes) {
        if (node.is_leaf()) {
            tree.nodes.push_back({Leaf{node.leaf.treatment, std::nullopt, {}, {}}});
            continue;
        }
        Eigen::Index largest = 0;
        node.weights.cwiseAbs().maxCoeff(&largest);
        const SplitOrigin origin{SplitOrigin::Kind::cut, static_cast<int>(largest), 0};
        tree.nodes.push_back({Split{{node.weights, node.constant}, no_guard, origin, node.high, node.low}});
    }
    return tree;
}

}  // namespace

std::optional<Tree> as_tree(const Baseline& baseline, const Encoder& encoder, Domain domain) {
    if (const auto* personal = std::get_if<PersonalisationTree>(&baseline.model))
        return Converter(
                   personal->tree, [&](int leaf) { return personal->leaves[static_cast<std::size_t>(leaf)].treatment; },
                   encoder, std::move(domain))
            .run();
    if (const auto* optimal = std::get_if<OptimalTree>(&baseline.model)) return converted(*optimal, std::move(domain));
    const auto* effects = std::get_if<PairwiseEffects>(&baseline.model);
    if (!effects || effects->scheme != EffectScheme::plain || effects->pairs.size() != 1) return std::nullopt;
    const ComparedPair& pair = effects->pairs.front();
    const auto* causal = std::get_if<CausalTree>(&pair.model);
    if (!causal) return std::nullopt;
    // The effect of one treatment against the other; ties go to the first.
    return Converter(
               causal->tree,
               [&](int leaf) {
                   const double effect = causal->means[static_cast<std::size_t>(leaf)].effect();
                   const double of_second = pair.treatment == 1 ? effect : -effect;
                   return of_second < 0 ? 1 : 0;
               },
               encoder, std::move(domain))
        .run();
}

}  // namespace polyrx
