// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/regions/describe_region.hpp"

#include <algorithm>
#include <limits>

#include "polyrx/geometry/interior.hpp"
#include "polyrx/geometry/simplex.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Answer = Simplex::Answer;

// All inequalities of the pattern: neurons that are on are >= 0, and minus those that are off.
std::vector<RegionSide> pattern_sides(const ReluNetwork& network, const Pattern& pattern) {
    std::vector<RegionSide> sides;
    for (std::size_t layer = 0; layer < pattern.size(); ++layer) {
        std::vector<AffineFunction> neurons = affine_neurons(network, pattern, layer);
        for (std::size_t i = 0; i < neurons.size(); ++i)
            sides.push_back({pattern[layer][i] ? std::move(neurons[i]) : -neurons[i], RegionSide::From::neuron,
                             static_cast<int>(layer), static_cast<int>(i)});
    }
    return sides;
}

// The inequalities that cut the domain. In a large network most do not, and further work grows with their number.
std::vector<RegionSide> that_cut(std::vector<RegionSide> sides, const Domain& domain) {
    std::erase_if(sides, [&](const RegionSide& side) { return maximum(domain, -side.function) <= 0; });
    return sides;
}

std::vector<AffineFunction> functions_of(const std::vector<RegionSide>& sides) {
    std::vector<AffineFunction> functions;
    for (const RegionSide& side : sides) functions.push_back(side.function);
    return functions;
}

Simplex polyhedron_of(const std::vector<RegionSide>& sides, const Domain& domain) {
    Simplex polyhedron(domain);
    for (const RegionSide& side : sides) {
        const int row = polyhedron.add(side.function);
        if (polyhedron.value(row) < 0) polyhedron.push(row, Sign::positive, 0);
        polyhedron.require(row, Sign::positive);
    }
    return polyhedron;
}

// The smallest box around a region, slightly enlarged.
Domain box_around(const std::vector<RegionSide>& sides, const Domain& domain) {
    constexpr double never = std::numeric_limits<double>::infinity();
    Simplex polyhedron = polyhedron_of(sides, domain);
    Domain box = domain;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        const double little = 1e-6 * (domain.upper[input] - domain.lower[input]);
        if (polyhedron.push_input(input, Sign::positive, never) == Answer::optimal)
            box.upper[input] = std::min(domain.upper[input], polyhedron.input_value(input) + little);
        if (polyhedron.push_input(input, Sign::negative, never) == Answer::optimal)
            box.lower[input] = std::max(domain.lower[input], polyhedron.input_value(input) - little);
    }
    box.groups.clear();  // the box treats them as plain inputs: their bounds are no longer 0 and 1
    return box;
}

// Removes inequalities that follow from the others: a side is needed if some point satisfies all sides but that one.
// Deep networks have hundreds of sides, and a box around the region removes nearly all of them.
std::vector<RegionSide> irredundant(std::vector<RegionSide> sides, const Domain& domain) {
    if (static_cast<Eigen::Index>(sides.size()) > 2 * domain.inputs()) {
        const Domain box = box_around(sides, domain);
        sides = that_cut(std::move(sides), box);
    }
    Simplex polyhedron = polyhedron_of(sides, domain);
    std::vector<RegionSide> kept;
    for (int row = 0; row < static_cast<int>(sides.size()); ++row) {
        Simplex without = polyhedron;
        without.release(row);
        if (without.push(row, Sign::negative, thinnest * without.scale(row)) == Answer::optimal)
            polyhedron = std::move(without);  // kept removed, so that only one of two equal sides is removed
        else
            kept.push_back(std::move(sides[static_cast<std::size_t>(row)]));
    }
    return kept;
}

// The inequalities under which a treatment is best, given affine outcomes.
std::vector<RegionSide> treatment_sides(const std::vector<AffineFunction>& outcomes, int treatment) {
    std::vector<RegionSide> sides;
    const AffineFunction& best = outcomes[static_cast<std::size_t>(treatment)];
    for (int other = 0; other < static_cast<int>(outcomes.size()); ++other) {
        if (other == treatment) continue;
        const AffineFunction& rival = outcomes[static_cast<std::size_t>(other)];
        sides.push_back({{rival.weights - best.weights, rival.constant - best.constant},
                         RegionSide::From::outcomes,
                         treatment,
                         other});
    }
    return sides;
}

bool always_loses(const std::vector<AffineFunction>& outcomes, int treatment) {
    // If an earlier treatment is equal everywhere, it wins all ties.
    for (int other = 0; other < treatment; ++other)
        if (outcomes[static_cast<std::size_t>(other)] == outcomes[static_cast<std::size_t>(treatment)]) return true;
    return false;
}

Region region_of(const std::vector<RegionSide>& sides_of_pattern, const std::vector<AffineFunction>& outcomes,
                 const Domain& domain, const Pattern& pattern, int treatment) {
    std::vector<RegionSide> sides = sides_of_pattern;
    for (RegionSide& side : that_cut(treatment_sides(outcomes, treatment), domain)) sides.push_back(std::move(side));
    Region region{pattern, treatment, {}, {}, outcomes};
    InteriorPoint point = interior_point(domain, functions_of(sides));
    if (point.depth <= thinnest || always_loses(outcomes, treatment)) {
        region.sides = std::move(sides);
        return region;
    }
    region.inside = std::move(point.point);
    region.sides = irredundant(std::move(sides), domain);
    return region;
}

}  // namespace

std::vector<Region> describe_regions(const ReluNetwork& network, const Domain& domain, const Pattern& pattern) {
    const std::vector<RegionSide> sides = that_cut(pattern_sides(network, pattern), domain);
    const std::vector<AffineFunction> outcomes = affine_outcomes(network, pattern);
    std::vector<Region> regions;
    for (int treatment = 0; treatment < static_cast<int>(outcomes.size()); ++treatment) {
        Region region = region_of(sides, outcomes, domain, pattern, treatment);
        if (region.inside.size() > 0) regions.push_back(std::move(region));
    }
    return regions;
}

Region describe_region(const ReluNetwork& network, const Domain& domain, const Pattern& pattern, int treatment) {
    return region_of(that_cut(pattern_sides(network, pattern), domain), affine_outcomes(network, pattern), domain,
                     pattern, treatment);
}

}  // namespace polyrx
