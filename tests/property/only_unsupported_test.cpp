// SPDX-License-Identifier: Apache-2.0
// Rows for which rules allow only treatments that the data do not support are those of the definition by propensities.
#include "polyrx/rules/only_unsupported.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_domain.hpp"
#include "tests/support/random_support.hpp"

namespace polyrx {
namespace {

struct UnsupportedCase {
    Encoder encoder;
    Support support;
    BoundRules rules;
    Matrix rows;
};

// Two splits on the first input, and leaves of random counts, some of them 0.
PropensityTree random_propensity_tree(Rng& rng, const Domain& domain, std::size_t treatments) {
    const auto number = [&](double share) {
        return domain.lower[0] + share * (domain.upper[0] - domain.lower[0]) * rng.uniform(0.5, 1);
    };
    const auto leaf = [&] {
        PropensityTree::Node node;
        for (std::size_t k = 0; k < treatments; ++k)
            node.rows.push_back(rng.bernoulli(0.3) ? 0 : static_cast<double>(1 + rng.below(200)));
        if (std::ranges::all_of(node.rows, [](double rows) { return rows == 0; })) node.rows[0] = 50;
        return node;
    };
    return {{{.feature = 0, .threshold = number(0.6), .left = 1},
             {.feature = 0, .threshold = number(0.3), .left = 3},
             leaf(),
             leaf(),
             leaf()}};
}

UnsupportedCase unsupported_case(std::uint64_t index) {
    Rng rng(index, Draw::test, 8);
    const Domain domain = test::random_domain(rng, static_cast<Eigen::Index>(1 + rng.below(3)));
    const std::size_t treatments = 2 + rng.below(4);
    UnsupportedCase made;
    std::vector<Feature> features;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        features.emplace_back();
        features.back().name = "x" + std::to_string(input);
    }
    made.encoder = Encoder(std::move(features));
    made.support.epsilon = std::vector<double>{0.05, 0.1, 0.5}[rng.below(3)];
    if (rng.bernoulli(0.5))
        made.support.model = test::random_log_odds(rng, domain, treatments);
    else
        made.support.model = random_propensity_tree(rng, domain, treatments);
    if (rng.bernoulli(0.3)) made.support.never = {static_cast<int>(rng.below(treatments))};
    made.rules = BoundRules(test::random_bound_rules(rng, domain, treatments, rng.below(4)).rules(), treatments,
                            bind_support(made.support, made.encoder, treatments));
    made.rows = test::uniform_rows(rng, domain, static_cast<Eigen::Index>(1 + rng.below(60)));
    return made;
}

// Up to a factor.
std::vector<double> propensities_at(const Support& support, const double* row) {
    std::vector<double> e;
    if (const auto* linear = std::get_if<LinearLogOdds>(&support.model)) {
        for (const LinearLogOdds::Score& score : linear->scores) {
            double z = score.constant;
            for (const HalfSpace::Term& term : score.terms) z += term.weight * row[term.input];
            e.push_back(std::exp(z));
        }
    } else {
        const auto& nodes = std::get<PropensityTree>(support.model).nodes;
        std::size_t at = 0;
        while (nodes[at].feature >= 0)
            at = static_cast<std::size_t>(nodes[at].left) + (row[nodes[at].feature] <= nodes[at].threshold ? 0 : 1);
        e = nodes[at].rows;
    }
    for (const int k : support.never) e[static_cast<std::size_t>(k)] = -1;  // never enough
    return e;
}

std::size_t slow_count(const UnsupportedCase& made) {
    std::size_t count = 0;
    for (Eigen::Index i = 0; i < made.rows.rows(); ++i) {
        const double* row = made.rows.row(i).data();
        const std::vector<double> e = propensities_at(made.support, row);
        const double least = made.support.epsilon * std::ranges::max(e);
        bool some_allowed = false;
        bool some_supported = false;
        for (std::size_t k = 0; k < e.size(); ++k) {
            const bool allowed = std::ranges::all_of(made.rules.rules(), [&](const BoundRule& rule) {
                return !rule.applies.holds(row) || has(rule.allowed, static_cast<int>(k));
            });
            some_allowed = some_allowed || allowed;
            some_supported = some_supported || (allowed && e[k] >= least);
        }
        count += some_allowed && !some_supported ? 1 : 0;
    }
    return count;
}

TEST(OnlyUnsupported, RowsAreThoseWhoseAllowedTreatmentsAllHaveLowPropensities) {
    std::size_t some = 0;
    for (std::uint64_t index = 0; index < 400; ++index) {
        const UnsupportedCase made = unsupported_case(index);
        const std::size_t count = count_only_unsupported(made.rules, made.rows);
        EXPECT_EQ(count, slow_count(made)) << index;
        some += count > 0 ? 1 : 0;
    }
    EXPECT_GT(some, 50U);
}

TEST(OnlyUnsupported, RowsNeedRulesAndSupport) {
    for (std::uint64_t index = 0; index < 50; ++index) {
        const UnsupportedCase made = unsupported_case(index);
        const std::size_t treatments = 6;
        EXPECT_EQ(count_only_unsupported(BoundRules({}, treatments, made.rules.support()), made.rows), 0U);
        EXPECT_EQ(count_only_unsupported(BoundRules(made.rules.rules(), treatments), made.rows), 0U);
        EXPECT_EQ(count_only_unsupported(BoundRules(), made.rows), 0U);
    }
}

}  // namespace
}  // namespace polyrx
