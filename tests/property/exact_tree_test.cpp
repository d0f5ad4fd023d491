// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/exact_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/boundary_rows.hpp"
#include "tests/support/literal_tree.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

struct Shape {
    const char* name;
    test::Kinds kinds;
    std::vector<Eigen::Index> hidden;
    Eigen::Index treatments;
    double sparse = 0;  // share of the first layer's weights that are 0
    double half_width = 1;
    int networks = 1;
    Eigen::Index random_rows = 0;  // for each network
    Eigen::Index pairs = 0;        // to bisect, for each network and key
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = {
        {"1x5", {.real = 4}, {5}, 2, 0, 1, 10, 10'000, 900},
        {"1x5 with five treatments", {.real = 3, .binary = 2}, {5}, 5, 0, 1, 10, 10'000, 900},
        {"1x5 of whole numbers", {.real = 1, .whole = 2, .binary = 1}, {5}, 3, 0, 1, 10, 10'000, 900},
        {"1x5 of groups", {.real = 2, .binary = 2, .groups = {3, 4}}, {5}, 3, 0.3, 1, 10, 10'000, 900},
        {"1x10 sparse", {.real = 20, .whole = 4, .binary = 8, .groups = {3, 5}}, {10}, 3, 0.9, 1, 10, 10'000, 900},
        {"2x5", {.real = 2, .binary = 1, .groups = {3}}, {5, 5}, 3, 0, 1, 10, 10'000, 900},
        {"2x5 with five treatments", {.real = 3}, {5, 5}, 5, 0, 1, 10, 10'000, 900},
        {"2x10", {.real = 2}, {10, 10}, 3, 0, 1, 10, 20'000, 900},
        {"5x100", {.real = 2}, {100, 100, 100, 100, 100}, 3, 0, 0.1, 1, 100'000, 500},
    };
    return all;
}

Domain domain_of(const Shape& shape) {
    Domain domain = test::domain_of_kinds(shape.kinds);
    domain.lower.head(shape.kinds.real) *= shape.half_width;
    domain.upper.head(shape.kinds.real) *= shape.half_width;
    return domain;
}

ReluNetwork network_of(const Shape& shape, std::uint64_t index) {
    Rng rng(index, Draw::test);
    std::vector<Eigen::Index> widths = shape.hidden;
    widths.insert(widths.begin(), test::domain_of_kinds(shape.kinds).inputs());
    widths.push_back(shape.treatments);
    std::vector<Layer> layers = test::random_network(rng, widths).layers();
    // Weights as training begins with, so that deep networks neither die nor explode.
    for (Layer& layer : layers) layer.weights *= std::sqrt(2 / static_cast<double>(layer.weights.cols()));
    Matrix& first = layers.front().weights;
    for (Eigen::Index i = 0; i < first.size(); ++i)
        if (rng.bernoulli(shape.sparse)) first.data()[i] = 0;
    // A whole number of 0..9 counts like a real one of -1..1.
    for (Eigen::Index i = 0; i < shape.kinds.whole; ++i) first.col(shape.kinds.real + i) /= 4.5;
    // On average no treatment is better than another, so that each is best somewhere.
    const Matrix rows = test::uniform_rows(rng, domain_of(shape), 200);
    layers.back().bias -= forward(ReluNetwork(layers), rows).colwise().mean().transpose();
    return ReluNetwork(std::move(layers));
}

TEST(ExactTree, PrescribesWhatTheNetworkDoesOnARowOfAnyKindAndOnTheBordersOfItsRegions) {
    test::Agreement random;
    test::Agreement border;
    for (const Shape& shape : shapes()) {
        for (int index = 0; index < shape.networks; ++index) {
            SCOPED_TRACE(testing::Message() << shape.name << ", network " << index);
            const ReluNetwork network = network_of(shape, static_cast<std::uint64_t>(index));
            const Domain domain = domain_of(shape);
            const Tree tree = exact_tree(network, domain);
            EXPECT_NO_THROW(check_well_formed(tree, static_cast<int>(network.outputs())));
            EXPECT_EQ(test::certified_leaves(tree), leaf_count(tree));
            EXPECT_EQ(tree.certified_share, 1);
            const TreeCheck check = check_tree(network, tree);
            EXPECT_TRUE(check.proved) << check.reason;
            Rng rng(static_cast<std::uint64_t>(index), Draw::test, 1);
            const test::Agreement at_random =
                test::agreement(tree, network, test::uniform_rows(rng, domain, shape.random_rows));
            test::Agreement at_border = test::agreement(
                tree, network, test::boundary_rows(rng, domain, shape.pairs, test::prescription_key(network)));
            at_border += test::agreement(tree, network,
                                         test::boundary_rows(rng, domain, shape.pairs, test::pattern_key(network)));
            EXPECT_EQ(at_random.wrong, 0U);
            EXPECT_EQ(at_border.wrong, 0U);
            random += at_random;
            border += at_border;
        }
    }
    EXPECT_GE(random.rows, 1'000'000U);
    EXPECT_LT(static_cast<double>(random.rows - random.answered), 1e-5 * static_cast<double>(random.rows));
    EXPECT_GE(border.rows, 100'000U);
}

TEST(ExactTree, IsTheSameForAnyNumberOfThreads) {
    const Shape shape{"2x10", {.real = 2}, {10, 10}, 3};
    const ReluNetwork network = network_of(shape, 1);
    const Tree one = exact_tree(network, domain_of(shape), {.threads = 1});
    EXPECT_GT(leaf_count(one), 10U);
    for (const int threads : {2, 5})
        EXPECT_EQ(exact_tree(network, domain_of(shape), {.threads = threads}).nodes, one.nodes);
}

// Theorem 3.2 and the remark after it.
TEST(LiteralTree, HasTheDepthOfThePaperAndPrescribesWhatNetworkAndExactTreeDo) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const auto treatments = 2 + static_cast<Eigen::Index>(round % 3);
        const std::vector<std::vector<Eigen::Index>> shapes = {{2, 4}, {3, 6}, {2, 3, 2}, {3, 2, 2, 2}, {2}};
        std::vector<Eigen::Index> widths = shapes[round % 5];
        widths.push_back(treatments);
        const ReluNetwork network = test::random_network(rng, widths);
        const Domain domain = test::box_domain(network.inputs(), -1, 1);
        const Tree literal = test::literal_tree(network);
        std::size_t neurons = 0;
        for (std::size_t i = 1; i + 1 < widths.size(); ++i) neurons += static_cast<std::size_t>(widths[i]);
        const auto pairs = static_cast<std::size_t>(treatments * (treatments - 1) / 2);
        EXPECT_EQ(depth(literal), neurons + pairs);
        EXPECT_EQ(leaf_count(literal), std::size_t{1} << (neurons + pairs));
        const Tree exact = exact_tree(network, domain);
        EXPECT_LE(leaf_count(exact), leaf_count(literal));
        const Matrix rows = test::uniform_rows(rng, domain, 1'000);
        const std::vector<int> prescribed = argmin_rows(forward(network, rows));
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const auto treatment_in = [&](const Tree& tree) {
                return std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf_of(tree, rows.row(i).transpose()))].what)
                    .treatment;
            };
            EXPECT_EQ(treatment_in(literal), prescribed[static_cast<std::size_t>(i)]);
            EXPECT_EQ(treatment_in(exact), prescribed[static_cast<std::size_t>(i)]);
        }
    }
}

}  // namespace
}  // namespace polyrx
