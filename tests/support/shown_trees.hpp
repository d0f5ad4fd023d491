// SPDX-License-Identifier: Apache-2.0
// A clinic's policy, trees for it that need not make sense, and labels that nobody should have given.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::test {

inline Feature number(std::string name, std::string unit, double lower, double upper, bool integer = false) {
    Feature feature;
    feature.name = std::move(name);
    feature.unit = std::move(unit);
    feature.integer = integer;
    feature.lower = lower;
    feature.upper = upper;
    return feature;
}

inline Feature truth(std::string name) {
    Feature feature;
    feature.name = std::move(name);
    feature.type = ColumnType::boolean;
    return feature;
}

inline Feature choice(std::string name, std::vector<std::string> categories) {
    Feature feature;
    feature.name = std::move(name);
    feature.type = ColumnType::categorical;
    feature.categories = std::move(categories);
    return feature;
}

// As encode's domain: bounds, whole numbers, and a group for each categorical feature.
inline Domain domain_for(const Encoder& encoder) {
    const auto inputs = static_cast<Eigen::Index>(encoder.columns().size());
    Domain domain{Vector::Zero(inputs), Vector::Ones(inputs), std::vector<char>(encoder.columns().size(), 1), {}};
    for (std::size_t f = 0; f < encoder.features().size(); ++f) {
        const Feature& feature = encoder.features()[f];
        std::vector<Eigen::Index> group;
        for (Eigen::Index input = 0; input < inputs; ++input) {
            const EncodedColumn& column = encoder.columns()[static_cast<std::size_t>(input)];
            if (column.feature != f) continue;
            group.push_back(input);
            if (feature.type != ColumnType::numeric || column.kind != InputKind::value) continue;
            domain.lower[input] = feature.lower;
            domain.upper[input] = feature.upper;
            domain.integer[static_cast<std::size_t>(input)] = feature.integer ? 1 : 0;
        }
        if (feature.type == ColumnType::categorical) domain.groups.push_back(std::move(group));
    }
    return domain;
}

// Inputs: 0 age, 1 age is missing, 2 weight, 3 egfr, 4 F, 5 M, 6 smoker, 7 poor, 8 intermediate, 9 normal,
// 10 children, 11 diabetes (a number that is 0 or 1).
inline Policy clinic_policy() {
    Feature age = number("age", "years", 18, 90, true);
    age.indicator = true;
    Policy policy;
    policy.encoder =
        Encoder({age, number("weight", "kg", 40, 150), number("egfr", "mL/min/1.73m²", 15, 120),
                 choice("sex", {"F", "M"}), truth("smoker"), choice("metabolizer", {"poor", "intermediate", "normal"}),
                 number("children", "", 0, 9, true), number("diabetes", "", 0, 1, true)});
    policy.treatments = {"5 mg", "10 mg", "20 mg"};
    policy.treatment_name = "dose";
    policy.outcome_name = "pain";
    return policy;
}

// The function of a cut: sign * (x_input - at).
inline AffineFunction cut(const Domain& domain, Eigen::Index input, double at, double sign = 1) {
    AffineFunction function{Vector::Zero(domain.inputs()), -sign * at};
    function.weights[input] = sign;
    return function;
}

inline Node split_node(AffineFunction function, int yes, int no, std::size_t rows = 0) {
    return {Split{std::move(function), 1e-9, {}, yes, no}, rows};
}

inline Node leaf_node(int treatment, std::size_t rows = 0, bool certified = true) {
    Leaf leaf;
    leaf.treatment = treatment;
    if (certified) leaf.certificate = Certificate{{ProofStep{}}};
    return {std::move(leaf), rows};
}

// A cut of one input, a question about one group, or a sum of many.
inline AffineFunction random_split(Rng& rng, const Domain& domain, double oblique) {
    AffineFunction function{Vector::Zero(domain.inputs()), 0};
    const auto add = [&](Eigen::Index input) {
        const double range = domain.upper[input] - domain.lower[input];
        const double weight = rng.normal() / (range > 0 ? range : 1);
        function.weights[input] = weight;
        function.constant -= weight * rng.uniform(domain.lower[input], domain.upper[input]);
    };
    if (rng.bernoulli(oblique))
        for (Eigen::Index input = 0; input < domain.inputs(); ++input) add(input);
    else
        add(static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(domain.inputs()))));
    return function;
}

// Grows by splitting a random leaf until there are enough; rows go either way at random.
inline Tree random_tree(Rng& rng, const Policy& policy, std::size_t leaves, double oblique, std::size_t rows) {
    Tree tree;
    tree.mode = rng.bernoulli(0.5) ? TreeMode::exact : TreeMode::supported;
    tree.domain = domain_for(policy.encoder);
    tree.rows = rows;
    std::vector<std::size_t> open{0};
    const auto leaf = [&](std::size_t of) {
        return leaf_node(static_cast<int>(rng.below(policy.treatments.size())), of,
                         tree.mode == TreeMode::exact || rng.bernoulli(0.7));
    };
    tree.nodes.push_back(leaf(rows));
    while (open.size() < leaves) {
        const std::size_t place = rng.below(std::min<std::size_t>(open.size(), 6));  // the oldest: not too unequal
        const std::size_t node = open[place];
        const std::size_t all = tree.nodes[node].rows;
        const auto yes_rows = static_cast<std::size_t>(rng.uniform(0.15, 0.85) * static_cast<double>(all));
        const int yes = static_cast<int>(tree.nodes.size());
        tree.nodes[node] = split_node(random_split(rng, tree.domain, oblique), yes, yes + 1, all);
        tree.nodes.push_back(leaf(yes_rows));
        tree.nodes.push_back(leaf(all - yes_rows));
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
        open.push_back(static_cast<std::size_t>(yes));
        open.push_back(static_cast<std::size_t>(yes) + 1);
    }
    return tree;
}

// Every "yes" leads to a leaf, every "no" deeper.
inline Tree chain(const Policy& policy, int depth) {
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    for (int i = 0; i < depth; ++i) {
        tree.nodes.push_back(split_node(cut(tree.domain, 2, 40 + i * 0.01), 2 * i + 1, 2 * i + 2));
        tree.nodes.push_back(leaf_node(i % 3));
    }
    tree.nodes.push_back(leaf_node(0));
    return tree;
}

// Markup, quotes, control characters, 200 letters, accents, right to left, wide letters, bytes that are no UTF-8.
inline std::string hostile_label(Rng& rng) {
    static const std::vector<std::string> labels = {"<script>alert(\"&amp;\")</script>",
                                                    "]]>-->\\N\\n\"quoted\" 'single' {brace|bar}",
                                                    std::string(200, 'W'),
                                                    "two\nlines\tand a tab\x01\x1b[31m",
                                                    "na\xc3\xafve \xc3\x89t\xc3\xa9 \xc3\xa5ngstr\xc3\xb6m",
                                                    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\xae turned",
                                                    "\xe6\xb2\xbb\xe7\x99\x82\xe6\xb3\x95 \xf0\x9f\x92\x8a",
                                                    "\xff\xfe broken \xc3",
                                                    "",
                                                    "plain"};
    std::string label = labels[rng.below(labels.size())];
    if (rng.bernoulli(0.2)) label += " " + labels[rng.below(labels.size())];
    return label;
}

}  // namespace polyrx::test
