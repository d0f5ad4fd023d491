// SPDX-License-Identifier: Apache-2.0
// Bounds on a cell's inputs, groups of inputs, and fill values of missing values.
#include <algorithm>
#include <cmath>

#include "polyrx/extract/cells/cell.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;

}  // namespace

// The bound that the checker computes: it rounds bounds on whole numbers inward. The tolerance covers only rounding
// errors, and guards keep bounds away from those. With a larger tolerance, the checker could have tighter bounds and
// draw other lines below a ReLU, which our multipliers do not fit.
Bounded Cell::largest_input(Eigen::Index input, bool upper) {
    AffineFunction function{Vector::Zero(box_.inputs()), 0};
    function.weights[input] = upper ? 1 : -1;
    Bounded found = largest(function);
    if (box_.integer[static_cast<std::size_t>(input)])
        found.bound = std::floor(found.bound + 1e-12 * (1 + std::abs(found.bound)));
    return found;
}

bool Cell::learn_input(Eigen::Index input, bool upper, Bounded found, std::vector<BoundProof>* proofs) {
    const double bound = upper ? found.bound : -found.bound;
    if (!polyhedron_.narrow(input, upper ? Sign::negative : Sign::positive, bound)) return false;
    (upper ? box_.upper : box_.lower)[input] = bound;
    if (proofs)
        proofs->push_back({BoundProof::Of::input, 0, static_cast<int>(input), upper, std::move(found.multipliers)});
    return true;
}

bool Cell::narrow_input(Eigen::Index input, bool upper, std::vector<BoundProof>* proofs) {
    const double known = upper ? box_.upper[input] : -box_.lower[input];
    Bounded found = largest_input(input, upper);
    // Bounds implied by the box and groups have no multipliers, and small improvements are not worth their size.
    if (found.multipliers.empty() || known - found.bound <= 0.001 * (box_.upper[input] - box_.lower[input]))
        return false;
    const auto note = [&](bool of_upper, Bounded& bounded) {
        (of_upper ? box_.upper : box_.lower)[input] = of_upper ? bounded.bound : -bounded.bound;
        if (proofs)
            proofs->push_back(
                {BoundProof::Of::input, 0, static_cast<int>(input), of_upper, std::move(bounded.multipliers)});
    };
    const double bound = upper ? found.bound : -found.bound;
    if (!polyhedron_.narrow(input, upper ? Sign::negative : Sign::positive, bound)) {
        // The polyhedron lies between two whole numbers, so its bounds on both sides cross.
        Bounded other = largest_input(input, !upper);
        // For real numbers, by more than rounding errors.
        empty_ = found.bound < -other.bound - 1e-9 * (std::abs(found.bound) + std::abs(other.bound));
        if (!empty_) return false;
        note(!upper, other);
    }
    note(upper, found);
    return true;
}

bool Cell::narrow_inputs(Narrow which, std::vector<BoundProof>* proofs) {
    bool any = false;
    for (Eigen::Index input = 0; input < box_.inputs() && !empty_; ++input) {
        const auto index = static_cast<std::size_t>(input);
        if (!constrained_[index] || (which == Narrow::whole_numbers && !box_.integer[index])) continue;
        for (const bool upper : {true, false})
            if (!empty_ && box_.lower[input] < box_.upper[input]) any = narrow_input(input, upper, proofs) || any;
    }
    return any;
}

bool Cell::narrow_last(std::vector<BoundProof>* proofs) {
    bool any = false;
    const Vector weights = constraints_.back().weights;
    for (Eigen::Index input = 0; input < box_.inputs(); ++input)
        for (const bool upper : {true, false})
            if (weights[input] != 0 && !empty_ && box_.lower[input] < box_.upper[input])
                any = narrow_input(input, upper, proofs) || any;
    return any;
}

void Cell::settle_fills(std::vector<BoundProof>* proofs) {
    for (const Domain::Fill& fill : box_.fills) {
        if (empty_) return;
        double& lower = box_.lower[fill.input];
        double& upper = box_.upper[fill.input];
        const bool possible = lower <= fill.value && fill.value <= upper;
        if (box_.lower[fill.indicator] < 1) {
            if (!possible) box_.upper[fill.indicator] = std::min(box_.upper[fill.indicator], 0.0);
            continue;
        }
        if (!possible) {
            empty_ = true;
            return;
        }
        for (const bool from_above : {true, false}) {
            if ((from_above ? upper : lower) == fill.value) continue;
            if (polyhedron_.narrow(fill.input, from_above ? Sign::negative : Sign::positive, fill.value)) {
                (from_above ? upper : lower) = fill.value;
                continue;
            }
            // The cell lies beyond the value. If that is only rounding, the case continues without using the fill
            // value.
            Bounded beyond = largest_input(fill.input, !from_above);
            const double bound = from_above ? -beyond.bound : beyond.bound;
            if (from_above ? !(bound > fill.value) : !(bound < fill.value)) continue;
            (from_above ? lower : upper) = bound;
            if (proofs)
                proofs->push_back({BoundProof::Of::input, 0, static_cast<int>(fill.input), !from_above,
                                   std::move(beyond.multipliers)});
            empty_ = true;
            return;
        }
    }
}

void Cell::settle_groups() {
    for (const std::vector<Eigen::Index>& group : box_.groups) {
        Eigen::Index one = -1;
        std::size_t left = 0;
        for (const Eigen::Index member : group) {
            if (box_.upper[member] < 1) continue;
            if (box_.lower[member] >= 1) {
                one = member;
                left = 1;
                break;
            }
            one = member;
            ++left;
        }
        if (left != 1) continue;
        for (const Eigen::Index member : group) box_.upper[member] = member == one ? 1 : 0;
        box_.lower[one] = 1;
    }
}

std::optional<Eigen::Index> Cell::fractional_input() const {
    const Vector at = vertex();
    std::optional<Eigen::Index> furthest;
    double most = 1e-6;  // smaller values are rounding errors
    for (Eigen::Index input = 0; input < at.size(); ++input) {
        const double distance = std::abs(at[input] - std::round(at[input]));
        if (!box_.integer[static_cast<std::size_t>(input)] || distance <= most) continue;
        most = distance;
        furthest = input;
    }
    return furthest;
}

}  // namespace polyrx
