// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/ensemble.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/boundary_rows.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_forward.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

// Members of any depth from an output layer alone to three hidden layers, none as wide as another.
std::vector<ReluNetwork> random_members(Rng& rng, std::size_t count, Eigen::Index inputs, Eigen::Index outputs) {
    std::vector<ReluNetwork> members;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Eigen::Index> widths = test::random_widths(rng, rng.below(4), 8, outputs);
        widths.front() = inputs;
        members.push_back(test::random_network(rng, widths));
    }
    return members;
}

Matrix mean_outcomes(const std::vector<ReluNetwork>& members, const Matrix& rows) {
    Matrix sum = Matrix::Zero(rows.rows(), members.front().outputs());
    for (const ReluNetwork& member : members) sum += forward(member, rows);
    return sum / static_cast<double>(members.size());
}

TEST(Ensemble, HasTheMeanOfItsMembersOutcomesWhateverTheirDepthsAndWidths) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const auto inputs = static_cast<Eigen::Index>(1 + rng.below(6));
        const auto outputs = static_cast<Eigen::Index>(1 + rng.below(5));
        const std::vector<ReluNetwork> members = random_members(rng, 1 + rng.below(6), inputs, outputs);
        const Matrix rows = test::random_matrix(rng, 40, inputs);
        const Matrix expected = mean_outcomes(members, rows);
        const Matrix outcomes = forward(ensemble(members), rows);
        EXPECT_LT((outcomes - expected).cwiseAbs().maxCoeff(), 1e-12 * (1 + expected.cwiseAbs().maxCoeff()))
            << "round " << round;
    }
}

TEST(Ensemble, IsBitForBitTheSlowForwardPassThoughBlocksOfZerosAreLeftOut) {
    for (std::uint64_t round = 0; round < 40; ++round) {
        Rng rng(round, Draw::test, 1);
        std::vector<ReluNetwork> members = random_members(rng, 1 + rng.below(5), 4, 3);
        for (ReluNetwork& member : members) {  // neurons without weights, or with few
            std::vector<Layer> layers = member.layers();
            for (Layer& layer : layers)
                for (Eigen::Index i = 0; i < layer.weights.size(); ++i)
                    if (rng.bernoulli(0.4)) layer.weights.data()[i] = 0;
            member = ReluNetwork(std::move(layers));
        }
        const ReluNetwork network = ensemble(members);
        const Matrix rows = test::random_matrix(rng, 70, 4);
        const Matrix expected = test::slow_forward(network, rows);
        test::for_each_target([&] { EXPECT_EQ(forward(network, rows), expected) << "round " << round; });
    }
}

TEST(Ensemble, OfOneIsThatNetworkBitForBit) {
    for (std::uint64_t round = 0; round < 10; ++round) {
        Rng rng(round, Draw::test);
        const std::vector<ReluNetwork> alone = random_members(rng, 1, 3, 2);
        EXPECT_EQ(ensemble(alone), alone.front());
    }
}

TEST(Ensemble, OfAffineMembersIsAffine) {
    Rng rng(1, Draw::test);
    std::vector<ReluNetwork> members;
    for (int i = 0; i < 3; ++i) members.push_back(test::random_network(rng, {4, 2}));
    EXPECT_EQ(ensemble(members).layers().size(), 1U);
}

TEST(Ensemble, IsAsDeepAsItsDeepestMemberAndAsWideAsAllTogether) {
    Rng rng(1, Draw::test);
    const std::vector<ReluNetwork> members = {test::random_network(rng, {4, 5, 2}),
                                              test::random_network(rng, {4, 7, 3, 2}),  //
                                              test::random_network(rng, {4, 2})};
    const ReluNetwork together = ensemble(members);
    ASSERT_EQ(together.layers().size(), 3U);
    EXPECT_EQ(together.layers()[0].bias.size(), 5 + 7 + 2 * 2);
    EXPECT_EQ(together.layers()[1].bias.size(), 5 + 3 + 2 * 2);
}

TEST(Ensemble, HasATreeThatPrescribesTheSame) {
    test::Agreement all;
    for (std::uint64_t round = 0; round < 6; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const Domain domain = test::domain_of_kinds({.real = 2, .binary = 1});
        std::vector<ReluNetwork> members = {test::random_network(rng, {3, 4, 3}),
                                            test::random_network(rng, {3, 3, 2, 3})};
        if (round % 2 == 1) members.push_back(test::random_network(rng, {3, 3}));
        const ReluNetwork together = ensemble(members);
        const Tree tree = exact_tree(together, domain);
        EXPECT_EQ(tree.certified_share, 1);
        const TreeCheck check = check_tree(together, tree);
        EXPECT_TRUE(check.proved) << check.reason;
        all += test::agreement(tree, together, test::uniform_rows(rng, domain, 2000));
        all += test::agreement(tree, together, test::boundary_rows(rng, domain, 200, test::prescription_key(together)));
    }
    EXPECT_EQ(all.wrong, 0U);
    EXPECT_GT(all.answered, 6U * 1990U);
}

TEST(Ensemble, RefusesNoMembersAndMembersThatDoNotFitTogether) {
    Rng rng(1, Draw::test);
    const auto sentence = [](const std::vector<ReluNetwork>& members) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)ensemble(members); });
    };
    EXPECT_EQ(sentence({}), "an ensemble needs at least one network");
    EXPECT_EQ(sentence({ReluNetwork()}), "a member of an ensemble has no layers");
    EXPECT_EQ(sentence({test::random_network(rng, {3, 4, 2}), test::random_network(rng, {2, 4, 2})}),
              "the members of an ensemble must have the same numbers of inputs and outputs: one has 3 and 2, another 2 "
              "and 2");
    EXPECT_EQ(sentence({test::random_network(rng, {3, 4, 2}), test::random_network(rng, {3, 4, 3})}),
              "the members of an ensemble must have the same numbers of inputs and outputs: one has 3 and 2, another 3 "
              "and 3");
}

}  // namespace
}  // namespace polyrx
