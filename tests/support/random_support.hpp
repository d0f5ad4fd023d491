// SPDX-License-Identifier: Apache-2.0
// Random support in terms of a domain's inputs, and its definition by propensities.
#pragma once

#include <cmath>
#include <vector>

#include "polyrx/rules/support.hpp"
#include "tests/support/random_bound_rules.hpp"

namespace polyrx::test {

inline LinearLogOdds random_log_odds(Rng& rng, const Domain& domain, std::size_t treatments) {
    LinearLogOdds linear;
    for (std::size_t k = 0; k < treatments; ++k) {
        LinearLogOdds::Score score{{}, rng.normal()};
        for (Eigen::Index input = 0; input < domain.inputs(); ++input)
            if (rng.bernoulli(0.5))
                score.terms.push_back({input, 4 * rng.normal() / (domain.upper[input] - domain.lower[input])});
        linear.scores.push_back(std::move(score));
    }
    return linear;
}

// As bind_support() makes it of log-odds, or conditions of any shape, as a tree would have them.
inline std::vector<SupportRule> random_support(Rng& rng, const Domain& domain, std::size_t treatments) {
    std::vector<SupportRule> support;
    if (rng.bernoulli(0.3)) {
        // A partition of the domain by one condition: in each part an order of the treatments, of which those behind
        // the first exclude none before them, so that something is left.
        const BoundCondition side = random_bound_condition(rng, domain, 2);
        for (const bool inside : {true, false})
            for (int k = 0; k < static_cast<int>(treatments); ++k)
                for (int j = 0; j < static_cast<int>(treatments); ++j)
                    if ((inside ? j < k : j > k) && rng.bernoulli(0.6))
                        support.push_back({k, j, inside ? side : side.complement()});
        return support;
    }
    Support odds;
    odds.epsilon = std::vector<double>{0.05, 0.1, 0.5}[rng.below(3)];
    odds.model = random_log_odds(rng, domain, treatments);
    if (treatments > 2 && rng.bernoulli(0.2)) odds.never = {1};
    std::vector<Feature> features;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        features.emplace_back();
        features.back().name = "x" + std::to_string(input);
    }
    return bind_support(odds, Encoder(std::move(features)), treatments);
}

}  // namespace polyrx::test
