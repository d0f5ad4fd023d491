// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of for_each_pattern(): every pattern of signs is tried, and Clp asked for a point inside.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/network/affine_piece.hpp"
#include "tests/support/clp_lp.hpp"
#include "tests/support/domains.hpp"

namespace polyrx::test {

// The most room that a point of the domain has to the 0 of every function, in units of what each can vary by on the
// domain; -1 if there is no point where all are near 0 or above.
inline double clp_depth(const Domain& domain, const std::vector<AffineFunction>& positive) {
    Domain lifted = domain;
    add_input(lifted, -1, 1, false);
    std::vector<AffineFunction> functions;
    for (const AffineFunction& function : positive) {
        double range = 0;
        for (Eigen::Index i = 0; i < domain.inputs(); ++i)
            if (function.weights[i] != 0) range += std::abs(function.weights[i]) * (domain.upper[i] - domain.lower[i]);
        if (range == 0) range = std::max(std::abs(function.constant), 1.0);
        AffineFunction less_room{Vector(domain.inputs() + 1), function.constant / range};
        less_room.weights << function.weights / range, -1;
        functions.push_back(std::move(less_room));
    }
    AffineFunction room{Vector::Zero(domain.inputs() + 1), 0};
    room.weights[domain.inputs()] = 1;
    const auto most = ClpLp(lifted, functions).maximize(room);
    return most ? most->value : -1;
}

// What is >= 0 on the region of a pattern.
inline std::vector<AffineFunction> region_of(const ReluNetwork& network, const Pattern& pattern) {
    std::vector<AffineFunction> functions;
    for (std::size_t layer = 0; layer < pattern.size(); ++layer) {
        const std::vector<AffineFunction> neurons = affine_neurons(network, pattern, layer);
        for (std::size_t i = 0; i < neurons.size(); ++i)
            functions.push_back(pattern[layer][i] ? neurons[i] : -neurons[i]);
    }
    return functions;
}

struct SlowRegion {
    Pattern pattern;
    double depth;
};

// In lexicographic order, off before on. Regions of a depth around 0 are left to whoever asks.
inline std::vector<SlowRegion> slow_regions(const ReluNetwork& network, const Domain& domain,
                                            double least_depth = 1e-12) {
    std::size_t neurons = 0;
    for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer)
        neurons += static_cast<std::size_t>(network.layers()[layer].bias.size());
    std::vector<SlowRegion> regions;
    for (std::size_t signs = 0; signs < std::size_t{1} << neurons; ++signs) {
        Pattern pattern;
        std::size_t bit = neurons;
        for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer) {
            auto& on = pattern.emplace_back();
            for (Eigen::Index i = 0; i < network.layers()[layer].bias.size(); ++i)
                on.push_back(signs >> --bit & 1 ? 1 : 0);
        }
        const double depth = clp_depth(domain, region_of(network, pattern));
        if (depth > least_depth) regions.push_back({std::move(pattern), depth});
    }
    return regions;
}

}  // namespace polyrx::test
