// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/prove_claim.hpp"

#include <gtest/gtest.h>

#include "polyrx/verify/check_claim.hpp"
#include "tests/support/claim_policies.hpp"

namespace polyrx {
namespace {

using namespace test;

std::vector<ClaimAnswer> decide(const ClaimCase& of, const ClaimLimits& limits = {}) {
    return decide_claims(
        of.policy, of.domain, of.claims,
        [&](const BoundRule& claim, const ClaimProof& proof) {
            return check_claim(of.policy.network, of.domain, of.policy.rules, claim, proof).proved;
        },
        limits);
}

// Small weights of few values, so that outcomes are often equal.
void make_coarse(ReluNetwork& network) {
    std::vector<Layer> layers = network.layers();
    for (Layer& layer : layers) {
        layer.weights = layer.weights.array().round();
        layer.bias = layer.bias.array().round();
    }
    network = ReluNetwork(std::move(layers));
}

TEST(ProveClaim, AgreesWithLookingAtEveryRow) {
    int proved = 0;
    int refuted = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        Rng rng(1, Draw::test, i);
        const FeatureCounts counts{0, 1 + static_cast<int>(rng.below(3)), static_cast<int>(rng.below(3)),
                                   static_cast<int>(rng.below(3))};
        std::vector<Eigen::Index> hidden;
        for (std::uint64_t layer = rng.below(4); layer > 0; --layer)
            hidden.push_back(1 + static_cast<Eigen::Index>(rng.below(6)));
        ClaimCase of = random_claim_case(rng, counts, hidden, 2 + rng.below(3), 3);
        if (i % 3 == 0) make_coarse(of.policy.network);
        const std::vector<ClaimAnswer> answers = decide(of);
        const Matrix rows = all_rows(of.domain);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            const BoundRule& claim = of.claims.rules()[c];
            bool holds = true;
            for (Eigen::Index row = 0; row < rows.rows() && holds; ++row)
                holds = !breaks(of.policy, claim, rows.row(row).transpose());
            ASSERT_EQ(answers[c].verdict, holds ? Verdict::proved : Verdict::refuted)
                << "network " << i << ", claim " << c << ": " << answers[c].why;
            if (holds) {
                ++proved;
            } else {
                ++refuted;
                EXPECT_TRUE(contains(of.domain, answers[c].row));
                EXPECT_TRUE(breaks(of.policy, claim, answers[c].row));
            }
        }
    }
    EXPECT_GT(proved, 150);
    EXPECT_GT(refuted, 150);
}

}  // namespace
}  // namespace polyrx
