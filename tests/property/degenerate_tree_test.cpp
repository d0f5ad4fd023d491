// SPDX-License-Identifier: Apache-2.0
// Exact trees of networks and domains that go wrong easily. What must always hold: rows that the tree answers get what
// the network prescribes, and every certificate is proved by the checker, which knows nothing of who made it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/boundary_rows.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

using test::box_domain;
using test::domain_of_kinds;
using test::random_network;
using Layers = std::vector<Layer>;

struct DegenerateCase {
    Layers layers;
    Domain domain;
};

Eigen::Index below(Rng& rng, std::uint64_t bound) {
    return static_cast<Eigen::Index>(rng.below(bound));
}

// On average no treatment is much better than another, so that several are best somewhere; but none are equal.
void balance(Rng& rng, DegenerateCase& of) {
    const Matrix outcomes = forward(ReluNetwork(of.layers), test::uniform_rows(rng, of.domain, 100));
    const Vector mean = outcomes.colwise().mean();
    const double spread = (outcomes.rowwise() - mean.transpose()).cwiseAbs().mean();
    for (Eigen::Index k = 0; k < mean.size(); ++k)
        of.layers.back().bias[k] -= mean[k] - 0.1 * rng.normal() * (spread + 1e-3 * mean.cwiseAbs().maxCoeff());
}

struct Totals {
    std::size_t leaves = 0;
    std::size_t certified = 0;
    test::Agreement random;
};

Totals examine(std::uint64_t rounds, const std::function<DegenerateCase(Rng&)>& make) {
    Totals totals;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const DegenerateCase made = make(rng);
        const ReluNetwork network(made.layers);
        const Tree tree = exact_tree(network, made.domain);
        // Of an exact tree the checker wants a proof of every leaf, which not all of these have. Here it is asked about
        // those that claim to have one.
        Tree claims = tree;
        claims.mode = TreeMode::supported;
        const TreeCheck check = check_tree(network, claims);
        EXPECT_EQ(check.proved, check.certified > 0) << check.reason;
        totals.leaves += leaf_count(tree);
        totals.certified += test::certified_leaves(tree);
        const test::Agreement random = test::agreement(tree, network, test::uniform_rows(rng, made.domain, 300));
        EXPECT_EQ(random.wrong, 0U);
        totals.random += random;
        EXPECT_EQ(
            test::agreement(tree, network, test::boundary_rows(rng, made.domain, 30, test::prescription_key(network)))
                .wrong,
            0U);
        EXPECT_EQ(
            test::agreement(tree, network, test::boundary_rows(rng, made.domain, 30, test::pattern_key(network))).wrong,
            0U);
        for (const Node& node : tree.nodes) {
            const auto* leaf = std::get_if<Leaf>(&node.what);
            if (!leaf || leaf->inside.size() == 0) continue;
            EXPECT_TRUE((leaf->inside.array() >= made.domain.lower.array()).all());
            EXPECT_TRUE((leaf->inside.array() <= made.domain.upper.array()).all());
            EXPECT_EQ(&std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf_of(tree, leaf->inside))].what), leaf);
        }
    }
    return totals;
}

void expect_all_certified(const Totals& totals) {
    EXPECT_EQ(totals.certified, totals.leaves);
    EXPECT_GE(static_cast<double>(totals.random.answered), 0.999 * static_cast<double>(totals.random.rows));
}

void expect_answered(const Totals& totals, double share) {
    EXPECT_GE(static_cast<double>(totals.random.answered), share * static_cast<double>(totals.random.rows));
}

TEST(DegenerateTree, WithoutHiddenLayers) {
    expect_all_certified(examine(50, [](Rng& rng) {
        const Domain domain = domain_of_kinds({.real = 1 + below(rng, 3),
                                               .whole = below(rng, 2),
                                               .binary = below(rng, 2),
                                               .groups = std::vector<Eigen::Index>(rng.below(2), 3)});
        return DegenerateCase{random_network(rng, {domain.inputs(), 2 + below(rng, 5)}).layers(), domain};
    }));
}

TEST(DegenerateTree, OfOneTreatment) {
    const Totals totals = examine(
        5, [](Rng& rng) { return DegenerateCase{random_network(rng, {2, 4, 1}).layers(), box_domain(2, -1, 1)}; });
    expect_all_certified(totals);
    EXPECT_EQ(totals.leaves, 5U);
}

TEST(DegenerateTree, OfConstantNetworks) {
    const Totals totals = examine(30, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {2, 3, 3}).layers(), box_domain(2, -1, 1)};
        made.layers[0].weights.setZero();
        if (rng.bernoulli(0.5)) made.layers[1].weights.setZero();
        if (rng.bernoulli(0.5)) made.layers[1].bias.setOnes();
        return made;
    });
    expect_all_certified(totals);
    EXPECT_EQ(totals.leaves, 30U);
}

TEST(DegenerateTree, WithNeuronsTwiceInOtherUnitsOrTheOtherWayRound) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{{}, box_domain(2 + below(rng, 2), -1, 1)};
        made.layers = random_network(rng, {made.domain.inputs(), 6, 3}).layers();
        for (Eigen::Index i = 1; i < 6; ++i) {
            if (rng.bernoulli(0.4)) continue;
            const Eigen::Index same = below(rng, static_cast<std::uint64_t>(i));
            const double factor = rng.bernoulli(0.3) ? -1 : rng.bernoulli(0.5) ? 1 : 3.7;
            made.layers[0].weights.row(i) = factor * made.layers[0].weights.row(same);
            made.layers[0].bias[i] = factor * made.layers[0].bias[same];
        }
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, WithNeuronsThatAreNearlyTheSame) {
    // Between two of them there may be a sliver where another treatment is best, too thin for a leaf of its own.
    expect_answered(examine(150,
                            [](Rng& rng) {
                                DegenerateCase made{{}, box_domain(2 + below(rng, 2), -1, 1)};
                                made.layers = random_network(rng, {made.domain.inputs(), 5, 3}).layers();
                                Layer& first = made.layers[0];
                                for (Eigen::Index i = 1; i < 5; ++i) {
                                    const Eigen::Index same = below(rng, static_cast<std::uint64_t>(i));
                                    const double apart = std::pow(10, -rng.uniform(6, 16));
                                    const double sign = rng.bernoulli(0.3) ? -1 : 1;
                                    first.weights.row(i) = sign * first.weights.row(same);
                                    first.bias[i] = sign * first.bias[same] + apart * rng.normal();
                                    first.weights(i, 0) += apart * rng.normal();
                                }
                                balance(rng, made);
                                return made;
                            }),
                    0.97);
}

TEST(DegenerateTree, WithNeuronsThatAreAlwaysOnOrOffOrConstantOrUnused) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {3, 6, 5, 3}).layers(), box_domain(3, -1, 1)};
        for (std::size_t layer = 0; layer < 2; ++layer) {
            for (Eigen::Index i = 0; i < made.layers[layer].bias.size(); ++i) {
                double& bias = made.layers[layer].bias[i];
                const std::uint64_t kind = rng.below(6);
                if (kind == 0) bias -= 100;
                if (kind == 1) bias += 100;
                if (kind == 2) made.layers[layer].weights.row(i).setZero();
                if (kind == 2 && rng.bernoulli(0.5)) bias = 0;
                if (kind == 3) made.layers[layer + 1].weights.col(i).setZero();
            }
        }
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfDomainsWithFixedInputs) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{{}, domain_of_kinds({.real = 3, .whole = 1, .groups = {3}})};
        for (Eigen::Index i = 0; i < 4; ++i)
            if (rng.bernoulli(0.6)) made.domain.lower[i] = made.domain.upper[i];
        if (rng.bernoulli(0.5)) made.domain.upper[4] = 0;
        if (rng.bernoulli(0.3)) made.domain.lower[5] = 1;
        made.layers = random_network(rng, {7, 5, 3}).layers();
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfASingleRow) {
    expect_all_certified(examine(20, [](Rng& rng) {
        return DegenerateCase{random_network(rng, {3, 5, 4, 3}).layers(), box_domain(3, 0.3, 0.3)};
    }));
}

TEST(DegenerateTree, OfTreatmentsThatAreAlwaysEqual) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {2, 4, 4}).layers(), box_domain(2, -1, 1)};
        Layer& output = made.layers[1];
        for (const auto& [copy, of] : {std::pair(2, 1), std::pair(3, 0)}) {
            if (copy == 3 && rng.bernoulli(0.7)) continue;
            output.weights.row(copy) = output.weights.row(of);
            output.bias[copy] = output.bias[of];
        }
        return made;
    }));
}

TEST(DegenerateTree, OfTreatmentsThatAreEqualWhereAllNeuronsAreOff) {
    // A leaf of treatment 0 that has such a corner, and no split along it, may have no proof.
    expect_answered(examine(100,
                            [](Rng& rng) {
                                DegenerateCase made{{}, box_domain(2, -1, 1)};
                                made.layers = rng.bernoulli(0.5) ? random_network(rng, {2, 4, 3}).layers()
                                                                 : random_network(rng, {2, 4, 3, 3}).layers();
                                made.layers.back().bias.setConstant(0.7);
                                return made;
                            }),
                    0.94);
}

TEST(DegenerateTree, OfTreatmentsThatAreEqualWhereSomeNeuronsAreOff) {
    expect_answered(examine(100,
                            [](Rng& rng) {
                                DegenerateCase made{random_network(rng, {2, 4, 3}).layers(), box_domain(2, -1, 1)};
                                made.layers[1].bias.setConstant(0.7);
                                for (Eigen::Index i = 0; i < 4; ++i)
                                    if (rng.bernoulli(0.5)) made.layers[1].weights(1, i) = made.layers[1].weights(0, i);
                                return made;
                            }),
                    0.94);
}

TEST(DegenerateTree, OfWeightsThatAreWholeNumbers) {
    // Outcomes are then equal in many corners, and a leaf whose treatment has the higher index has no proof there.
    expect_answered(
        examine(200,
                [](Rng& rng) {
                    DegenerateCase made{{}, box_domain(2 + below(rng, 2), rng.bernoulli(0.5) ? 0 : -1, 1)};
                    if (rng.bernoulli(0.4))
                        made.domain = domain_of_kinds({.real = 1, .whole = below(rng, 2), .binary = 1, .groups = {3}});
                    const Eigen::Index inputs = made.domain.inputs();
                    made.layers = rng.bernoulli(0.5) ? random_network(rng, {inputs, 6, 3}).layers()
                                                     : random_network(rng, {inputs, 4, 4, 3}).layers();
                    for (Layer& layer : made.layers) {
                        layer.weights = layer.weights.array().round();
                        layer.bias = layer.bias.array().round();
                    }
                    return made;
                }),
        0.7);
}

// Bounds of neurons are symmetric here, and what is drawn below a relu must not depend on how they are rounded.
TEST(DegenerateTree, OfWeightsThatAreHalves) {
    expect_answered(examine(150,
                            [](Rng& rng) {
                                DegenerateCase made{random_network(rng, {2, 4, 4, 4, 2}).layers(),
                                                    box_domain(2, -1, 1)};
                                for (Layer& layer : made.layers) {
                                    layer.weights = (2 * layer.weights.array()).round() / 2;
                                    layer.bias = (2 * layer.bias.array()).round() / 2;
                                }
                                return made;
                            }),
                    0.9);
}

void scale_each_weight(Rng& rng, DegenerateCase& made, const std::function<double(Rng&)>& factor) {
    for (Layer& layer : made.layers) {
        for (double& weight : layer.weights.reshaped()) weight *= factor(rng);
        for (double& bias : layer.bias) bias *= factor(rng);
    }
}

TEST(DegenerateTree, OfWeightsOfAnySizeFromATenThousandthToTenThousand) {
    expect_all_certified(examine(150, [](Rng& rng) {
        DegenerateCase made{{}, box_domain(2 + below(rng, 2), -1, 1)};
        made.layers = rng.bernoulli(0.5) ? random_network(rng, {made.domain.inputs(), 5, 3}).layers()
                                         : random_network(rng, {made.domain.inputs(), 3, 3, 3}).layers();
        scale_each_weight(rng, made, [](Rng& of) { return std::pow(10, of.uniform(-4, 4)); });
        if (rng.bernoulli(0.5)) balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfWeightsOf1e12AndOf1eMinus12) {
    // Outcomes that differ by less than rounding are the network's own affair.
    expect_answered(examine(150,
                            [](Rng& rng) {
                                DegenerateCase made{{}, box_domain(2 + below(rng, 2), -1, 1)};
                                made.layers = rng.bernoulli(0.5)
                                                  ? random_network(rng, {made.domain.inputs(), 5, 3}).layers()
                                                  : random_network(rng, {made.domain.inputs(), 3, 3, 3}).layers();
                                scale_each_weight(rng, made, [](Rng& of) {
                                    return std::pow(10, 12 * static_cast<double>(below(of, 3) - 1));
                                });
                                return made;
                            }),
                    0.6);
}

TEST(DegenerateTree, OfHugeWeights) {
    expect_all_certified(examine(40, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {2, 4, 3}).layers(), box_domain(2, -1, 1)};
        const double size = std::pow(10, rng.uniform(20, 140));
        for (Layer& layer : made.layers) layer.weights *= size;
        made.layers[0].bias *= size;
        made.layers[1].bias *= size * size;
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfInputsInVeryDifferentUnits) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {4, 6, 3}).layers(), box_domain(4, -1, 1)};
        Layer& first = made.layers[0];
        for (Eigen::Index i = 0; i < 4; ++i) {
            const double unit = std::pow(10, 6 * static_cast<double>(below(rng, 3) - 1));
            const double middle = rng.bernoulli(0.5) ? 0 : 10 * unit * rng.normal();
            made.domain.lower[i] = middle - unit;
            made.domain.upper[i] = middle + unit;
            first.weights.col(i) /= unit;
            first.bias -= first.weights.col(i) * middle;
        }
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfInputsFarFromZero) {
    // A thousandth around a million: the last digits of the inputs are all there is.
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {3, 5, 3}).layers(), box_domain(3, 1e6 - 1e-3, 1e6 + 1e-3)};
        made.layers[0].weights *= 1e3;
        made.layers[0].bias -= made.layers[0].weights.rowwise().sum() * 1e6;
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfDomainsWithoutARealInput) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{{}, domain_of_kinds({.whole = below(rng, 3), .binary = 3, .groups = {3, 4}})};
        made.layers = random_network(rng, {made.domain.inputs(), 5, 3}).layers();
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfUnboundedInputsThatNoNeuronReads) {
    expect_all_certified(examine(30, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {4, 5, 3}).layers(), box_domain(4, -1, 1)};
        made.domain.lower[1] = -std::numeric_limits<double>::infinity();
        made.domain.upper[2] = std::numeric_limits<double>::infinity();
        made.layers[0].weights.col(1).setZero();
        made.layers[0].weights.col(2).setZero();
        balance(rng, made);
        return made;
    }));
}

TEST(DegenerateTree, OfNarrowAndDeepNetworks) {
    expect_all_certified(examine(60, [](Rng& rng) {
        DegenerateCase made{random_network(rng, {2, 2, 1, 2, 1, 2, 2, 1, 3}).layers(), box_domain(2, -1, 1)};
        balance(rng, made);
        return made;
    }));
}

}  // namespace
}  // namespace polyrx
