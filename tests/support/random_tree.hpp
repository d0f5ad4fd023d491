// SPDX-License-Identifier: Apache-2.0
// Random policies, and trees with certificates that are well formed but prove nothing.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

// Numeric features, some of them of whole numbers; and if `mixed`, categories with and without an indicator, and a
// boolean.
inline Policy random_policy(Rng& rng, std::size_t numeric, bool mixed = true) {
    std::vector<Feature> features;
    for (std::size_t i = 0; i < numeric; ++i)
        features.push_back({.name = "x" + std::to_string(i),
                            .integer = rng.bernoulli(0.3),
                            .lower = -2,
                            .upper = 2,
                            .indicator = mixed && rng.bernoulli(0.2)});
    if (mixed) {
        features.push_back({.name = "sex", .type = ColumnType::categorical, .categories = {"F", "M"}});
        features.push_back({.name = "stage \"é\"",
                            .type = ColumnType::categorical,
                            .categories = {"I", "II", "III"},
                            .indicator = true});
        features.push_back({.name = "smoker", .type = ColumnType::boolean});
    }
    Policy policy;
    policy.encoder = Encoder(std::move(features));
    policy.network = random_network(rng, {static_cast<Eigen::Index>(policy.encoder.columns().size()), 6, 3});
    policy.objective = rng.bernoulli(0.5) ? Objective::max : Objective::min;
    policy.treatments = {"5 mg", "10 mg", "\"none\""};
    policy.treatment_name = "dose";
    policy.outcome_name = "pain";
    policy.provenance.program = "polyrx 0.0.0";
    return policy;
}

// Rows for it: most of them in its domain.
inline Table random_table(Rng& rng, const Policy& policy, std::size_t rows) {
    std::vector<Column> columns;
    for (const Feature& feature : policy.encoder.features()) {
        const auto code = [&](std::uint64_t kinds) {
            return rng.bernoulli(0.05) ? -1 : static_cast<int>(rng.below(kinds));
        };
        Column column{feature.name, NumericColumn{}};
        if (feature.type == ColumnType::boolean) column.values = BooleanColumn{};
        if (feature.type == ColumnType::categorical) column.values = CategoricalColumn{feature.categories, {}};
        for (std::size_t row = 0; row < rows; ++row) {
            if (auto* truths = std::get_if<BooleanColumn>(&column.values)) {
                truths->values.push_back(static_cast<std::int8_t>(code(2)));
            } else if (auto* texts = std::get_if<CategoricalColumn>(&column.values)) {
                texts->codes.push_back(code(feature.categories.size()));
            } else {
                const double value = rng.uniform(-2.1, 2.1);
                const bool whole = feature.integer && !rng.bernoulli(0.05);
                std::get<NumericColumn>(column.values)
                    .values.push_back(rng.bernoulli(0.05) ? NumericColumn::missing
                                      : whole             ? std::round(value)
                                                          : value);
            }
        }
        columns.push_back(std::move(column));
    }
    return Table(std::move(columns));
}

inline int random_index(Rng& rng, Eigen::Index below) {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(below)));
}

inline AffineFunction random_function(Rng& rng, Eigen::Index inputs) {
    AffineFunction function{Vector::Zero(inputs), rng.normal()};
    const double share = rng.uniform();
    for (Eigen::Index i = 0; i < inputs; ++i)
        if (rng.bernoulli(share)) function.weights[i] = rng.normal();
    return function;
}

inline std::vector<Multiplier> random_multipliers(Rng& rng, int constraints) {
    std::vector<Multiplier> multipliers;
    for (int i = 0; i < constraints; ++i)
        if (rng.bernoulli(0.5)) multipliers.push_back({i, rng.uniform(0, 1e-3)});
    return multipliers;
}

inline Certificate random_certificate(Rng& rng, const Policy& policy, int constraints) {
    const ReluNetwork& network = policy.network;
    Certificate certificate;
    certificate.steps.resize(1);
    std::vector<int> above = {constraints};
    for (std::size_t i = 0; i < certificate.steps.size(); ++i) {
        ProofStep step;
        while (rng.bernoulli(0.4))
            step.bounds.push_back({.of = BoundProof::Of::input,
                                   .index = random_index(rng, network.inputs()),
                                   .upper = rng.bernoulli(0.5),
                                   .multipliers = random_multipliers(rng, above[i])});
        while (rng.bernoulli(0.4))
            step.bounds.push_back({.of = BoundProof::Of::neuron,
                                   .layer = 0,
                                   .index = random_index(rng, network.layers()[0].bias.size()),
                                   .upper = rng.bernoulli(0.5),
                                   .multipliers = random_multipliers(rng, above[i])});
        if (above[i] < constraints + 3 && rng.bernoulli(0.3)) {
            const auto next = static_cast<int>(certificate.steps.size());
            step.cases = Cases{random_function(rng, network.inputs()), next, next + 1};
            certificate.steps.resize(certificate.steps.size() + 2);
            above.insert(above.end(), 2, above[i] + 1);
        } else {
            for (int rival = 0; rival < network.outputs(); ++rival)
                step.comparisons.push_back({rival, random_multipliers(rng, above[i])});
        }
        certificate.steps[i] = std::move(step);
    }
    return certificate;
}

inline SplitOrigin random_origin(Rng& rng, const Policy& policy) {
    switch (rng.below(3)) {
        case 0:
            return {SplitOrigin::Kind::neuron, 0, random_index(rng, policy.network.layers()[0].bias.size())};
        case 1:
            return {SplitOrigin::Kind::outcomes, 0, 1 + random_index(rng, policy.network.outputs() - 1)};
        default:
            return {SplitOrigin::Kind::cut, random_index(rng, policy.network.inputs()), 0};
    }
}

// Leaves are split at random until there are so many.
inline TreePolicy random_tree(Rng& rng, const Policy& policy, std::size_t leaves) {
    TreePolicy made{policy, {}};
    Tree& tree = made.tree;
    tree.mode = rng.bernoulli(0.5) ? TreeMode::exact : TreeMode::supported;
    tree.domain = domain_of(policy.encoder);
    tree.rows = rng.below(1000);
    tree.outside = rng.below(10);
    tree.certified_share = rng.uniform();
    if (rng.bernoulli(0.5)) {
        tree.fidelity = rng.uniform();
        tree.held_out = rng.below(1000);
    }
    std::vector<int> above = {0};
    std::vector<std::size_t> open = {0};
    tree.nodes.resize(1);
    while (open.size() < leaves) {
        const std::size_t chosen = rng.below(open.size());
        const std::size_t parent = open[chosen];
        const auto child = static_cast<int>(tree.nodes.size());
        tree.nodes[parent].what = Split{random_function(rng, tree.domain.inputs()), rng.uniform(1e-12, 0.01),
                                        random_origin(rng, policy), child, child + 1};
        tree.nodes.resize(tree.nodes.size() + 2);
        above.insert(above.end(), 2, above[parent] + 1);
        open[chosen] = static_cast<std::size_t>(child);
        open.push_back(static_cast<std::size_t>(child) + 1);
    }
    for (Node& node : tree.nodes) node.rows = rng.below(100);
    for (const std::size_t leaf : open) {
        Leaf what{.treatment = random_index(rng, policy.network.outputs()), .certificate = {}, .inside = {}};
        if (rng.bernoulli(0.7)) what.certificate = random_certificate(rng, policy, above[leaf]);
        if (rng.bernoulli(0.7)) what.inside = random_matrix(rng, tree.domain.inputs(), 1).col(0);
        tree.nodes[leaf].what = std::move(what);
    }
    return made;
}

}  // namespace polyrx::test
