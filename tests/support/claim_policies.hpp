// SPDX-License-Identifier: Apache-2.0
// Small policies with rules, claims about them, and all of their rows, for who decides claims by looking at each row.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "polyrx/encode/input_domain.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/rules/choose.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

struct FeatureCounts {
    int real = 0;    // -1..1
    int whole = 0;   // 0..3
    int truths = 0;  // false, true
    int colors = 0;  // one of three categories
};

inline Encoder encoder_of(const FeatureCounts& counts) {
    std::vector<Feature> features;
    const auto add = [&](const std::string& name, int index) -> Feature& {
        Feature& feature = features.emplace_back();
        feature.name = name + std::to_string(index);
        return feature;
    };
    for (int i = 0; i < counts.real; ++i) {
        Feature& feature = add("real", i);
        feature.lower = -1;
        feature.upper = 1;
    }
    for (int i = 0; i < counts.whole; ++i) {
        Feature& feature = add("whole", i);
        feature.integer = true;
        feature.upper = 3;
    }
    for (int i = 0; i < counts.truths; ++i) add("truth", i).type = ColumnType::boolean;
    for (int i = 0; i < counts.colors; ++i) {
        Feature& feature = add("color", i);
        feature.type = ColumnType::categorical;
        feature.categories = {"red", "green", "blue"};
    }
    return Encoder(std::move(features));
}

// Every row of a domain without real numbers.
inline Matrix all_rows(const Domain& domain) {
    std::vector<Vector> rows;
    Vector row = domain.lower;
    while (true) {
        if (contains(domain, row)) rows.push_back(row);
        Eigen::Index input = 0;
        while (input < row.size() && row[input] == domain.upper[input]) {
            row[input] = domain.lower[input];
            ++input;
        }
        if (input == row.size()) break;
        row[input] += 1;
    }
    Matrix matrix(static_cast<Eigen::Index>(rows.size()), domain.inputs());
    for (std::size_t i = 0; i < rows.size(); ++i) matrix.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
    return matrix;
}

// Often exactly 0 for a row of the domain, whole numbers or not.
inline HalfSpace random_half_space(Rng& rng, const Domain& domain) {
    HalfSpace half_space;
    half_space.strict = rng.bernoulli(0.5);
    const int kind = static_cast<int>(rng.below(3));
    std::vector<char> used(static_cast<std::size_t>(domain.inputs()));
    for (std::uint64_t i = 1 + rng.below(3); i > 0; --i) {
        const auto input = rng.below(used.size());
        if (used[input]) continue;
        used[input] = 1;
        const double weight = kind == 0   ? (rng.bernoulli(0.5) ? 1 : -1)
                              : kind == 1 ? 0.1 * (static_cast<double>(rng.below(7)) - 3) + 0.05
                                          : rng.normal();
        half_space.terms.push_back({static_cast<Eigen::Index>(input), weight});
    }
    for (const auto& term : half_space.terms)
        half_space.constant -=
            term.weight * std::round(rng.uniform(domain.lower[term.input], domain.upper[term.input]));
    if (rng.bernoulli(0.3)) half_space.constant += 0.5;
    return half_space;
}

inline BoundCondition random_bound_condition(Rng& rng, const Domain& domain, int depth, std::vector<HalfSpace>& seen) {
    BoundCondition condition;
    if (depth == 0 || rng.bernoulli(0.4)) {
        condition.kind = BoundCondition::Kind::half_space;
        if (!seen.empty() && rng.bernoulli(0.4)) {  // the same sum once more, perhaps the other way round
            condition.half_space = seen[rng.below(seen.size())];
            if (rng.bernoulli(0.5)) condition.half_space = condition.half_space.complement();
            if (rng.bernoulli(0.5)) condition.half_space.strict = !condition.half_space.strict;
        } else {
            condition.half_space = random_half_space(rng, domain);
        }
        seen.push_back(condition.half_space);
        return condition;
    }
    condition.kind = rng.bernoulli(0.5) ? BoundCondition::Kind::all_of : BoundCondition::Kind::any_of;
    for (std::uint64_t i = rng.below(4); i > 0; --i)
        condition.operands.push_back(random_bound_condition(rng, domain, depth - 1, seen));
    return condition;
}

inline TreatmentSet random_set(Rng& rng, std::size_t treatments) {
    return 1 + rng.below(all_treatments(treatments));
}

struct ClaimCase {
    Policy policy;
    Domain domain;
    BoundRules claims;
};

// Up to three rules, and some claims.
inline ClaimCase random_claim_case(Rng& rng, const FeatureCounts& counts, const std::vector<Eigen::Index>& hidden,
                                   std::size_t treatments, std::size_t claims) {
    ClaimCase result;
    Policy& policy = result.policy;
    policy.encoder = encoder_of(counts);
    std::vector<Eigen::Index> widths{static_cast<Eigen::Index>(policy.encoder.columns().size())};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(static_cast<Eigen::Index>(treatments));
    policy.network = random_network(rng, widths);
    for (std::size_t k = 0; k < treatments; ++k)
        policy.treatments.push_back(std::string(1, static_cast<char>('A' + k)));
    result.domain = domain_of(policy.encoder);
    std::vector<HalfSpace> seen;
    std::vector<BoundRule> rules;
    for (std::uint64_t r = rng.below(4); r > 0; --r)
        rules.push_back({random_bound_condition(rng, result.domain, 2, seen), random_set(rng, treatments)});
    // choose() looks at the written rules to see whether there are any.
    policy.rules.rules.rules.resize(rules.size());
    policy.rules.bound = BoundRules(std::move(rules), treatments);
    std::vector<BoundRule> bound;
    for (std::size_t c = 0; c < claims; ++c)
        bound.push_back({random_bound_condition(rng, result.domain, 2, seen), random_set(rng, treatments)});
    result.claims = BoundRules(std::move(bound), treatments);
    return result;
}

inline bool breaks(const Policy& policy, const BoundRule& claim, const Vector& row) {
    const Matrix rows = row.transpose();
    const int chosen = choose(policy.rules, rows, forward(policy.network, rows)).front();
    return chosen != no_treatment && !has(claim.allowed, chosen) && claim.applies.holds(row.data());
}

}  // namespace polyrx::test
