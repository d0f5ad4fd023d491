// SPDX-License-Identifier: Apache-2.0
// The sums of inputs that conditions compare with 0, and what their signs imply.
//
// "bmi > 30" and "bmi >= 30" compare the same sum: the first holds for fewer of its three signs than the second,
// however the sum is rounded. The knowledge about a row is thus a set of possible signs per sum, not a truth value per
// comparison.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// The possible signs of a computed sum.
using SignSet = unsigned;
inline constexpr SignSet below_zero = 1;
inline constexpr SignSet at_zero = 2;
inline constexpr SignSet above_zero = 4;
inline constexpr SignSet any_sign = 7;

[[nodiscard]] inline SignSet sign_set(double value) {
    return value > 0 ? above_zero : value < 0 ? below_zero : at_zero;
}

class ComparedSums {
public:
    // The conditions must outlive it. Their comparisons (half-spaces) are numbered from 0, by condition and then from
    // left to right.
    explicit ComparedSums(std::vector<const BoundCondition*> conditions);

    struct Comparison {
        int sum = 0;
        SignSet holds = any_sign;  // the signs of the sum for which it holds
    };
    [[nodiscard]] const std::vector<Comparison>& comparisons() const { return comparisons_; }
    // A sum is a half-space without its comparison. Sums with the same terms in the same order count as one, and so do
    // a sum and its negative: both are rounded alike.
    [[nodiscard]] const std::vector<HalfSpace>& sums() const { return sums_; }

    // The remaining signs of a sum if a comparison holds (yes) or does not.
    struct Side {
        SignSet left = 0;
        double direction = 1;  // direction * sum is at least 0, up to rounding
    };

    // Per sum: its possible signs.
    using Known = std::vector<SignSet>;
    [[nodiscard]] Known nothing_known() const { return Known(sums_.size(), any_sign); }
    [[nodiscard]] Holds truth(std::size_t condition, const Known& known) const;
    [[nodiscard]] Side side(int comparison, bool yes, const Known& known) const;
    // The first comparison that the condition's truth depends on; -1 if the truth is known.
    [[nodiscard]] int first_open(std::size_t condition, const Known& known) const;

private:
    void add(const BoundCondition& condition);
    [[nodiscard]] Holds truth(const BoundCondition& condition, const Known& known, std::size_t& next) const;
    [[nodiscard]] int first_open(const BoundCondition& condition, const Known& known, std::size_t& next) const;

    std::vector<const BoundCondition*> conditions_;
    std::vector<std::size_t> begins_;  // per condition: its first comparison
    std::vector<Comparison> comparisons_;
    std::vector<HalfSpace> sums_;
};

// The conditions in a proof of a claim about a policy with rules: number 0 is that of the claim; those of rules follow,
// then those of support.
inline constexpr std::size_t of_claim = 0;
inline constexpr std::size_t of_rules = 1;
[[nodiscard]] std::vector<const BoundCondition*> conditions_of(const BoundRule& claim, const BoundRules& rules);

// The treatments that may be prescribed by rules and support, given the known signs.
struct AllowedSets {
    TreatmentSet surely = 0;
    TreatmentSet perhaps = 0;
};
// The rules' conditions in `sums` start at number `first`.
[[nodiscard]] AllowedSets allowed_sets(const BoundRules& rules, const ComparedSums& sums, std::size_t first,
                                       const ComparedSums::Known& known);

// If HalfSpace::value() has the sign of the real sum for every row of the domain: a number of which every value is a
// multiple, or 0 if there is no useful one. Nothing if rounding may change the sign.
//   - One term with weight 1 or -1: rounding never moves a sum of two doubles to the other side of 0.
//   - Whole numbers, with weights and a constant that are multiples of a power of two, and small enough that every
//     partial sum is exact.
[[nodiscard]] std::optional<double> exact_unit(const HalfSpace& sum, const Domain& domain);

}  // namespace polyrx
