// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/tree_within_rules.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/extract/exact/exact_tree.hpp"

namespace polyrx {
namespace {

std::vector<Eigen::Index> inputs_of(const AffineFunction& function) {
    std::vector<Eigen::Index> inputs;
    for (Eigen::Index j = 0; j < function.weights.size(); ++j)
        if (function.weights[j] != 0) inputs.push_back(j);
    return inputs;
}

void narrow_input(Domain& domain, Eigen::Index input, double weight, double constant, bool yes) {
    const double at = -constant / weight;
    const bool whole = domain.integer[static_cast<std::size_t>(input)] != 0;
    if (yes == (weight > 0)) {
        const double least = !whole ? at : yes ? std::floor(at) + 1 : std::ceil(at);
        domain.lower[input] = std::max(domain.lower[input], least);
    } else {
        const double most = !whole ? at : yes ? std::ceil(at) - 1 : std::floor(at);
        domain.upper[input] = std::min(domain.upper[input], most);
    }
}

// For a sum of categories of one feature: excludes them, or all others.
void narrow_categories(Domain& domain, const std::vector<Eigen::Index>& members, bool yes) {
    const auto is_member = [&](Eigen::Index input) { return std::ranges::find(members, input) != members.end(); };
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        if (std::ranges::find(group, members.front()) == group.end()) continue;
        if (!std::ranges::all_of(members, [&](Eigen::Index m) { return std::ranges::find(group, m) != group.end(); }))
            return;
        for (const Eigen::Index input : group)
            if (is_member(input) != yes) domain.upper[input] = std::min(domain.upper[input], 0.0);
        return;
    }
}

// A domain that contains the rows on one side of the split. A hyperplane of several inputs excludes nothing.
Domain side_of(const Split& split, Domain domain, bool yes) {
    const std::vector<Eigen::Index> inputs = inputs_of(split.function);
    if (inputs.size() == 1)
        narrow_input(domain, inputs.front(), split.function.weights[inputs.front()], split.function.constant, yes);
    else if (split.function.constant == -0.5 &&
             std::ranges::all_of(inputs, [&](Eigen::Index j) { return split.function.weights[j] == 1; }))
        narrow_categories(domain, inputs, yes);
    for (const Domain::Fill& fill : domain.fills)
        if (fill.value < domain.lower[fill.input] || fill.value > domain.upper[fill.input])
            domain.upper[fill.indicator] = std::min(domain.upper[fill.indicator], 0.0);
    return domain;
}

bool is_empty(const Domain& domain) {
    if ((domain.lower.array() > domain.upper.array()).any()) return true;
    return std::ranges::any_of(domain.groups, [&](const std::vector<Eigen::Index>& group) {
        return std::ranges::all_of(group, [&](Eigen::Index input) { return domain.upper[input] < 1; });
    });
}

// Prescribes the first allowed treatment of the preference.
ReluNetwork constant_network(const std::vector<int>& preference, Eigen::Index inputs) {
    Layer layer{Matrix::Zero(static_cast<Eigen::Index>(preference.size()), inputs), Vector()};
    layer.bias = Vector::Zero(layer.weights.rows());
    for (std::size_t place = 0; place < preference.size(); ++place)
        layer.bias[preference[place]] = static_cast<double>(place);
    return ReluNetwork({std::move(layer)});
}

class Grafter {
public:
    Grafter(const Tree& from, const std::vector<std::vector<int>>& preferences, const BoundRules& rules)
        : from_(from), preferences_(preferences), rules_(rules) {
        made_.mode = from.mode;
        made_.domain = from.domain;
    }

    [[nodiscard]] Tree run() {
        made_.nodes.emplace_back();
        std::vector<Pending> pending;
        pending.push_back({0, 0, from_.domain});
        while (!pending.empty()) {
            const Pending next = std::move(pending.back());
            pending.pop_back();
            const Node& node = from_.nodes[static_cast<std::size_t>(next.from)];
            if (const auto* split = std::get_if<Split>(&node.what)) {
                const Split copied = copy_split(*split, next.to);
                pending.push_back({split->no, copied.no, side_of(*split, next.domain, false)});
                pending.push_back({split->yes, copied.yes, side_of(*split, next.domain, true)});
                continue;
            }
            graft(next);
        }
        return std::move(made_);
    }

private:
    struct Pending {
        int from = 0;
        int to = 0;
        Domain domain;  // contains the rows that reach it
    };

    // Copies a split with new, empty children.
    Split copy_split(const Split& split, int at) {
        Split copied = split;
        copied.yes = static_cast<int>(made_.nodes.size());
        copied.no = copied.yes + 1;
        made_.nodes.resize(made_.nodes.size() + 2);
        made_.nodes[static_cast<std::size_t>(at)].what = copied;
        return copied;
    }

    void graft(const Pending& at) {
        if (is_empty(at.domain)) {
            made_.nodes[static_cast<std::size_t>(at.to)].what = from_.nodes[static_cast<std::size_t>(at.from)].what;
            return;
        }
        const ReluNetwork network =
            constant_network(preferences_[static_cast<std::size_t>(at.from)], at.domain.inputs());
        const Tree inner = exact_tree(network, rules_, at.domain);
        std::vector<int> places(inner.nodes.size(), at.to);
        for (std::size_t i = 0; i < inner.nodes.size(); ++i) {
            if (const auto* split = std::get_if<Split>(&inner.nodes[i].what)) {
                const Split copied = copy_split(*split, places[i]);
                places[static_cast<std::size_t>(split->yes)] = copied.yes;
                places[static_cast<std::size_t>(split->no)] = copied.no;
                continue;
            }
            Leaf leaf = std::get<Leaf>(inner.nodes[i].what);
            leaf.certificate.reset();  // it covers only the leaf's rows
            made_.nodes[static_cast<std::size_t>(places[i])].what = std::move(leaf);
        }
    }

    const Tree& from_;
    const std::vector<std::vector<int>>& preferences_;
    const BoundRules& rules_;
    Tree made_;
};

}  // namespace

Tree tree_within_rules(const Tree& tree, const std::vector<std::vector<int>>& preferences, const BoundRules& rules) {
    if (rules.empty()) return tree;
    return Grafter(tree, preferences, rules).run();
}

}  // namespace polyrx
