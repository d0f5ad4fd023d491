// SPDX-License-Identifier: Apache-2.0
// The tree of Theorem 3.2 as its proof builds it: every neuron in order, then every pair of outcomes, nothing pruned.
#pragma once

#include <utility>
#include <vector>

#include "polyrx/network/affine_piece.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::test {

class LiteralTree {
public:
    explicit LiteralTree(const ReluNetwork& network) : network_(network) {
        for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer)
            pattern_.emplace_back(static_cast<std::size_t>(network.layers()[layer].bias.size()));
        const auto treatments = static_cast<int>(network.outputs());
        for (int a = 0; a < treatments; ++a)
            for (int b = a + 1; b < treatments; ++b) pairs_.emplace_back(a, b);
        add_neuron(0, 0);
    }

    Tree tree;

private:
    int add_split(const AffineFunction& function, SplitOrigin origin, auto yes, auto no) {
        const auto index = tree.nodes.size();
        tree.nodes.emplace_back();
        Split split{function, 0, origin, 0, 0};
        split.yes = yes();
        split.no = no();
        tree.nodes[index].what = std::move(split);
        return static_cast<int>(index);
    }

    int add_neuron(std::size_t layer, std::size_t neuron) {
        if (layer == pattern_.size()) {
            second_is_better_.clear();
            return add_comparison();
        }
        if (neuron == pattern_[layer].size()) return add_neuron(layer + 1, 0);
        const auto side = [&, this](bool on) {
            pattern_[layer][neuron] = on ? 1 : 0;
            return add_neuron(layer, neuron + 1);
        };
        return add_split(
            affine_neurons(network_, pattern_, layer)[neuron],
            {SplitOrigin::Kind::neuron, static_cast<int>(layer), static_cast<int>(neuron)}, [&] { return side(true); },
            [&] { return side(false); });
    }

    int add_comparison() {
        const std::size_t done = second_is_better_.size();
        if (done == pairs_.size()) {
            tree.nodes.push_back({Leaf{winner(), std::nullopt, {}}, 0});
            return static_cast<int>(tree.nodes.size()) - 1;
        }
        const auto [a, b] = pairs_[done];
        const std::vector<AffineFunction> outcomes = affine_outcomes(network_, pattern_);
        const AffineFunction& first = outcomes[static_cast<std::size_t>(a)];
        const AffineFunction& second = outcomes[static_cast<std::size_t>(b)];
        const auto side = [&, this](bool second_is_better) {
            second_is_better_.push_back(second_is_better);
            const int node = add_comparison();
            second_is_better_.pop_back();
            return node;
        };
        return add_split(
            {first.weights - second.weights, first.constant - second.constant}, {SplitOrigin::Kind::outcomes, a, b},
            [&] { return side(true); }, [&] { return side(false); });
    }

    // The treatment that lost no comparison. Combinations that go round in a circle have none, and no rows either.
    [[nodiscard]] int winner() const {
        std::vector<char> lost(static_cast<std::size_t>(network_.outputs()));
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            lost[static_cast<std::size_t>(second_is_better_[i] ? pairs_[i].first : pairs_[i].second)] = 1;
        for (std::size_t k = 0; k < lost.size(); ++k)
            if (!lost[k]) return static_cast<int>(k);
        return 0;
    }

    const ReluNetwork& network_;
    Pattern pattern_;
    std::vector<std::pair<int, int>> pairs_;
    std::vector<bool> second_is_better_;
};

inline Tree literal_tree(const ReluNetwork& network) {
    return LiteralTree(network).tree;
}

}  // namespace polyrx::test
