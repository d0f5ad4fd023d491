// SPDX-License-Identifier: Apache-2.0
// The fewest leaves that a tree of a tiny network can have, by trying every order of its splits.
//
// A tree may split on any neuron that is one affine function on all of its part of the domain, which those of a later
// layer are only once every neuron before is on or off there; and on the difference of two outcomes once all are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "polyrx/network/affine_piece.hpp"
#include "tests/support/slow_regions.hpp"

namespace polyrx::test {

class SlowFewestLeaves {
public:
    SlowFewestLeaves(const ReluNetwork& network, const Domain& domain) : domain_(domain) {
        for (SlowRegion& region : slow_regions(network, domain, least_depth)) {
            Atom atom;
            for (const auto& layer : region.pattern) atom.signs.insert(atom.signs.end(), layer.begin(), layer.end());
            outcomes_ = affine_outcomes(network, region.pattern);
            std::vector<AffineFunction> functions = region_of(network, region.pattern);
            atom.treatments = treatments_in(functions);
            atom.leaves = fewest_comparisons(functions);
            thinnest_ = std::min(thinnest_, region.depth);
            atoms_.push_back(std::move(atom));
        }
        for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer)
            for (Eigen::Index i = 0; i < network.layers()[layer].bias.size(); ++i) layer_of_.push_back(layer);
    }

    [[nodiscard]] std::size_t fewest() const {
        std::vector<const Atom*> all;
        for (const Atom& atom : atoms_) all.push_back(&atom);
        return fewest(all);
    }

    // Depths near 0 were seen: what occurs may be a matter of rounding, and so may the number of leaves.
    [[nodiscard]] bool is_doubtful() const { return thinnest_ < 1e-6; }

private:
    // Ten times Clp's tolerance.
    static constexpr double least_depth = 1e-8;

    // All rows with one pattern.
    struct Atom {
        std::vector<char> signs;
        std::uint64_t treatments = 0;
        std::size_t leaves = 0;
    };

    [[nodiscard]] std::size_t fewest(const std::vector<const Atom*>& part) const {
        std::uint64_t treatments = 0;
        for (const Atom* atom : part) treatments |= atom->treatments;
        if (std::has_single_bit(treatments)) return 1;
        if (part.size() == 1) return part.front()->leaves;
        std::size_t best = SIZE_MAX;
        std::size_t first_undecided_layer = SIZE_MAX;
        for (std::size_t i = 0; i < layer_of_.size() && layer_of_[i] <= first_undecided_layer; ++i) {
            std::vector<const Atom*> sides[2];
            for (const Atom* atom : part) sides[atom->signs[i] ? 1 : 0].push_back(atom);
            if (sides[0].empty() || sides[1].empty()) continue;
            first_undecided_layer = layer_of_[i];
            best = std::min(best, fewest(sides[0]) + fewest(sides[1]));
        }
        return best;
    }

    // Whether there is a row with room to 0 of every function.
    [[nodiscard]] bool exists(const std::vector<AffineFunction>& functions) {
        const double depth = clp_depth(domain_, functions);
        if (depth > least_depth) thinnest_ = std::min(thinnest_, depth);
        return depth > least_depth;
    }

    [[nodiscard]] AffineFunction difference(std::size_t a, std::size_t b) const {
        return {outcomes_[a].weights - outcomes_[b].weights, outcomes_[a].constant - outcomes_[b].constant};
    }

    [[nodiscard]] std::uint64_t treatments_in(const std::vector<AffineFunction>& functions) {
        std::uint64_t found = 0;
        for (std::size_t k = 0; k < outcomes_.size(); ++k) {
            std::vector<AffineFunction> best = functions;
            for (std::size_t j = 0; j < outcomes_.size(); ++j)
                if (j != k) best.push_back(difference(j, k));
            if (exists(best)) found |= std::uint64_t{1} << k;
        }
        return found;
    }

    [[nodiscard]] std::size_t fewest_comparisons(const std::vector<AffineFunction>& functions) {
        if (std::has_single_bit(treatments_in(functions))) return 1;
        std::size_t best = SIZE_MAX;
        for (std::size_t a = 0; a < outcomes_.size(); ++a) {
            for (std::size_t b = a + 1; b < outcomes_.size(); ++b) {
                std::vector<AffineFunction> above = functions;
                std::vector<AffineFunction> below = functions;
                above.push_back(difference(a, b));
                below.push_back(-difference(a, b));
                if (!exists(above) || !exists(below)) continue;
                best = std::min(best, fewest_comparisons(above) + fewest_comparisons(below));
            }
        }
        return best;
    }

    const Domain& domain_;
    std::vector<AffineFunction> outcomes_;  // of the atom at hand
    std::vector<Atom> atoms_;
    std::vector<std::size_t> layer_of_;  // by sign
    double thinnest_ = 1;
};

}  // namespace polyrx::test
