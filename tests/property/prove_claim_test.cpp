// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/claims/decide_claims.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/verify/check_claim.hpp"
#include "tests/support/claim_policies.hpp"
#include "tests/support/domains.hpp"

namespace polyrx {
namespace {

using namespace test;

std::vector<ClaimAnswer> decide(const ClaimCase& of, const ClaimOptions& options = {}) {
    return decide_claims(
        of.policy, of.domain, of.claims,
        [&](const BoundRule& claim, const ClaimProof& proof, const Progress&) {
            return check_claim(of.policy.network, of.domain, of.policy.rules, claim, proof).proved;
        },
        options);
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
        if (i % 4 == 0) of.policy.rules.big_m = 1e9;  // more than any outcome: as good as a prohibition
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

// Claims of which many hold: about a box around a row, that what this row is prescribed is prescribed everywhere.
ClaimCase claims_that_may_hold(Rng& rng, const FeatureCounts& counts, const std::vector<Eigen::Index>& hidden,
                               double width) {
    ClaimCase of = random_claim_case(rng, counts, hidden, 3, 0);
    Vector row(of.domain.inputs());
    for (Eigen::Index i = 0; i < row.size(); ++i)
        row[i] =
            std::clamp(rng.uniform(of.domain.lower[i], of.domain.upper[i]), of.domain.lower[i], of.domain.upper[i]);
    BoundCondition box;
    for (Eigen::Index i = 0; i < row.size(); ++i)
        for (const double sign : {1.0, -1.0})
            box.operands.push_back({BoundCondition::Kind::half_space,
                                    {{{i, sign}}, -sign * std::round(row[i] * 4) / 4 + width, rng.bernoulli(0.5)},
                                    {}});
    std::vector<BoundRule> claims;
    for (TreatmentSet set = 1; set < 7; ++set) claims.push_back({box, set});
    of.claims = BoundRules(std::move(claims), 3);
    return of;
}

TEST(ProveClaim, WhatIsProvedOfRealNumbersHoldsForAllRowsThatAreDrawn) {
    int proved = 0;
    int refuted = 0;
    int undecided = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        Rng rng(2, Draw::test, i);
        const ClaimCase of = claims_that_may_hold(
            rng, {3, 1, 1, 1}, i % 2 == 0 ? std::vector<Eigen::Index>{8} : std::vector<Eigen::Index>{5, 5},
            i % 3 == 0 ? 2.0 : 0.6);
        const std::vector<ClaimAnswer> answers = decide(of);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            const BoundRule& claim = of.claims.rules()[c];
            proved += answers[c].verdict == Verdict::proved ? 1 : 0;
            undecided += answers[c].verdict == Verdict::undecided ? 1 : 0;
            if (answers[c].verdict == Verdict::refuted) {
                ++refuted;
                EXPECT_TRUE(contains(of.domain, answers[c].row));
                EXPECT_TRUE(breaks(of.policy, claim, answers[c].row));
            }
            if (answers[c].verdict != Verdict::proved) continue;
            for (int draw = 0; draw < 500; ++draw)
                ASSERT_FALSE(breaks(of.policy, claim, uniform_row(rng, of.domain))) << i << " " << c;
        }
    }
    EXPECT_GT(proved, 30);
    EXPECT_GT(refuted, 30);
    // Rules that make an exception where a sum of real numbers is exactly 0 leave a claim open.
    EXPECT_LE(undecided, 2);
}

TEST(ProveClaim, FindsRowsInsideOfManyStrictBounds) {
    int refuted = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
        Rng rng(12, Draw::test, i);
        ClaimCase of = claims_that_may_hold(rng, {25, 0, 0, 0}, {10}, 0.3);
        of.policy.rules = {};
        for (const ClaimAnswer& answer : decide(of)) {
            EXPECT_NE(answer.verdict, Verdict::undecided) << i << ": " << answer.why;
            refuted += answer.verdict == Verdict::refuted ? 1 : 0;
        }
    }
    EXPECT_GT(refuted, 50);
}

TEST(ProveClaim, PenaltiesTooSmallToBeObeyedChangeNoAnswer) {
    int refuted = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        Rng rng(9, Draw::test, i);
        ClaimCase of = random_claim_case(rng, {0, 2, 1, 1}, {4}, 3, 3);
        const std::vector<ClaimAnswer> without = decide(of);
        of.policy.rules.big_m = 0.3;
        const std::vector<ClaimAnswer> answers = decide(of);
        const Matrix rows = all_rows(of.domain);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            const BoundRule& claim = of.claims.rules()[c];
            refuted += answers[c].verdict == Verdict::refuted ? 1 : 0;
            EXPECT_EQ(answers[c].verdict, without[c].verdict);
            if (answers[c].verdict == Verdict::refuted) {
                EXPECT_TRUE(breaks(of.policy, claim, answers[c].row));
            }
            if (answers[c].verdict != Verdict::proved) continue;
            for (Eigen::Index row = 0; row < rows.rows(); ++row)
                ASSERT_FALSE(breaks(of.policy, claim, rows.row(row).transpose()));
        }
    }
    EXPECT_GT(refuted, 30);
}

TEST(ProveClaim, GivesTheSameAnswersOnAnyNumberOfThreads) {
    Rng rng(3, Draw::test, 0);
    const ClaimCase of = claims_that_may_hold(rng, {4, 2, 1, 1}, {10}, 0.7);
    const std::vector<ClaimAnswer> first = decide(of, {.threads = 1});
    const std::vector<ClaimAnswer> second = decide(of, {.threads = 4});
    for (std::size_t c = 0; c < first.size(); ++c) {
        EXPECT_EQ(first[c].verdict, second[c].verdict);
        EXPECT_EQ(first[c].proof, second[c].proof);
        EXPECT_EQ(first[c].cases, second[c].cases);
    }
}

TEST(ProveClaim, SaysAfterHowMuchWorkItLeavesAClaimUndecided) {
    Rng rng(4, Draw::test, 0);
    ClaimCase of = claims_that_may_hold(rng, {10, 0, 0, 0}, {30, 30, 30}, 0.15);
    for (const ClaimAnswer& answer : decide(of, {.cases = 20})) {
        if (answer.verdict != Verdict::undecided) continue;
        EXPECT_EQ(answer.why, "after 21 cases");
        return;
    }
    FAIL() << "every claim was decided";
}

TEST(ProveClaim, NothingIsProvedThatTheCheckerRejects) {
    Rng rng(5, Draw::test, 0);
    const ClaimCase of = claims_that_may_hold(rng, {2, 1, 0, 1}, {4}, 0.5);
    const auto answers = decide_claims(of.policy, of.domain, of.claims,
                                       [](const BoundRule&, const ClaimProof&, const Progress&) { return false; });
    for (const ClaimAnswer& answer : answers) EXPECT_NE(answer.verdict, Verdict::proved);
}

TEST(ProveClaim, LeavesAClaimUndecidedWhoseProofTakesTooLongToCheck) {
    Rng rng(5, Draw::test, 0);
    const ClaimCase of = claims_that_may_hold(rng, {2, 1, 0, 1}, {4}, 0.5);
    const ProofChecker never_done = [](const BoundRule&, const ClaimProof&, const Progress& progress) {
        while (true) report(progress, 0, "checking");
        return true;
    };
    int undecided = 0;
    for (const ClaimAnswer& answer : decide_claims(of.policy, of.domain, of.claims, never_done, {.seconds = 0.2})) {
        EXPECT_NE(answer.verdict, Verdict::proved);
        undecided += answer.why == "after 0.2 s" ? 1 : 0;
    }
    EXPECT_GT(undecided, 0);
}

TEST(ProveClaim, StopsWhenAskedTo) {
    Rng rng(6, Draw::test, 0);
    const ClaimCase of = claims_that_may_hold(rng, {2, 1, 0, 1}, {4}, 0.5);
    EXPECT_THROW(
        {
            const auto answers = decide_claims(
                of.policy, of.domain, of.claims,
                [](const BoundRule&, const ClaimProof&, const Progress&) { return true; }, {},
                [](double, std::string_view) { return false; });
        },
        Error);
}

// --- the checker

// Changes a proof in every way that may matter, one at a time, and hands each to `check`.
void for_each_forgery(const ClaimProof& proof, const std::function<void(const ClaimProof&, const char*)>& check) {
    const auto forged = [&](const char* what, const auto& change) {
        ClaimProof other = proof;
        change(other);
        if (!(other == proof)) check(other, what);
    };
    for (std::size_t s = 0; s < proof.steps.size(); ++s) {
        forged("without exclusions", [&](ClaimProof& other) { other.steps[s].exclusions.clear(); });
        forged("without bounds", [&](ClaimProof& other) { other.steps[s].bounds.clear(); });
        forged("without multipliers", [&](ClaimProof& other) {
            for (Exclusion& exclusion : other.steps[s].exclusions) exclusion.multipliers.clear();
        });
        forged("huge multipliers", [&](ClaimProof& other) {
            for (Exclusion& exclusion : other.steps[s].exclusions)
                for (Multiplier& multiplier : exclusion.multipliers) multiplier.value *= 1e6;
        });
        forged("other weights", [&](ClaimProof& other) {
            for (Exclusion& exclusion : other.steps[s].exclusions)
                for (TreatmentWeight& weight : exclusion.others) weight.treatment = (weight.treatment + 1) % 3;
        });
        forged("swapped cases", [&](ClaimProof& other) {
            if (auto& cases = other.steps[s].cases) std::swap(cases->yes, cases->no);
            if (auto& cases = other.steps[s].comparison_cases) std::swap(cases->yes, cases->no);
        });
        forged("another comparison", [&](ClaimProof& other) {
            if (auto& cases = other.steps[s].comparison_cases) cases->comparison = cases->comparison > 0 ? 0 : 1;
        });
    }
}

// A forged proof may still be one, but never of what does not hold.
TEST(CheckClaim, NoForgedProofProvesWhatDoesNotHold) {
    int rejected = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
        Rng rng(7, Draw::test, i);
        const ClaimCase of = random_claim_case(rng, {0, 2, 1, 1}, {4}, 3, 4);
        const Matrix rows = all_rows(of.domain);
        const std::vector<ClaimAnswer> answers = decide(of);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            if (!answers[c].proof) continue;
            for_each_forgery(*answers[c].proof, [&](const ClaimProof& forged, const char* what) {
                for (const BoundRule& claim : of.claims.rules()) {
                    bool accepted = false;
                    try {
                        accepted = check_claim(of.policy.network, of.domain, of.policy.rules, claim, forged).proved;
                    } catch (const Error& error) {
                        EXPECT_EQ(error.kind(), ErrorKind::data);
                    }
                    rejected += accepted ? 0 : 1;
                    if (!accepted) continue;
                    for (Eigen::Index row = 0; row < rows.rows(); ++row)
                        ASSERT_FALSE(breaks(of.policy, claim, rows.row(row).transpose())) << what;
                }
            });
        }
    }
    EXPECT_GT(rejected, 1000);
}

TEST(CheckClaim, AProofWithoutItsExclusionsOrACaseIsRejected) {
    int checked = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
        Rng rng(8, Draw::test, i);
        const ClaimCase of = claims_that_may_hold(rng, {3, 0, 0, 0}, {6}, 0.6);
        const std::vector<ClaimAnswer> answers = decide(of);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            if (!answers[c].proof) continue;
            const auto check = [&](const ClaimProof& proof) {
                return check_claim(of.policy.network, of.domain, of.policy.rules, of.claims.rules()[c], proof).proved;
            };
            ASSERT_TRUE(check(*answers[c].proof));
            for (std::size_t s = 0; s < answers[c].proof->steps.size(); ++s) {
                if (answers[c].proof->steps[s].exclusions.empty()) continue;
                ClaimProof forged = *answers[c].proof;
                forged.steps[s].exclusions.clear();
                EXPECT_FALSE(check(forged));
                forged = *answers[c].proof;
                for (TreatmentWeight& weight : forged.steps[s].exclusions.front().others) weight.value = 0;
                EXPECT_FALSE(check(forged));
                forged = *answers[c].proof;
                forged.steps[s].exclusions.front().others.front().value = -1;
                EXPECT_THROW((void)check(forged), Error);
                forged = *answers[c].proof;
                forged.steps.pop_back();
                EXPECT_THROW((void)check(forged), Error);
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 20);
}

}  // namespace
}  // namespace polyrx
