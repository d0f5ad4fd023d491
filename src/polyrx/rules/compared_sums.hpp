// SPDX-License-Identifier: Apache-2.0
// The sums of inputs that conditions compare with 0, and what follows from knowing their signs.
//
// "bmi > 30" and "bmi >= 30" compare the same sum, so of the sum's three signs the one holds for fewer than the other,
// however the sum is rounded. What is known of a row is therefore a set of signs for each sum, not a truth value for
// each comparison.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// Signs that a computed sum may have.
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
    // Of several conditions, which must outlive it. Their comparisons (half-spaces) are numbered from 0, condition
    // after condition, each from left to right.
    explicit ComparedSums(std::vector<const BoundCondition*> conditions);

    struct Comparison {
        int sum = 0;
        SignSet holds = any_sign;  // for these signs of the sum
    };
    [[nodiscard]] const std::vector<Comparison>& comparisons() const { return comparisons_; }
    // A sum is a half-space without its comparison. Two that have the same terms in the same order are one, and so are
    // two of which one is minus the other: both are rounded alike.
    [[nodiscard]] const std::vector<HalfSpace>& sums() const { return sums_; }

    // What is left of a sum's signs if a comparison holds (yes), or does not.
    struct Side {
        SignSet left = 0;
        double direction = 1;  // times the sum is at least 0, or at most rounding below it
    };

    // By sum: what its sign may be.
    using Known = std::vector<SignSet>;
    [[nodiscard]] Known nothing_known() const { return Known(sums_.size(), any_sign); }
    [[nodiscard]] Holds truth(std::size_t condition, const Known& known) const;
    [[nodiscard]] Side side(int comparison, bool yes, const Known& known) const;
    // The first comparison that the condition's truth depends on; -1 if that is known.
    [[nodiscard]] int first_open(std::size_t condition, const Known& known) const;

private:
    void add(const BoundCondition& condition);
    [[nodiscard]] Holds truth(const BoundCondition& condition, const Known& known, std::size_t& next) const;
    [[nodiscard]] int first_open(const BoundCondition& condition, const Known& known, std::size_t& next) const;

    std::vector<const BoundCondition*> conditions_;
    std::vector<std::size_t> begins_;  // by condition: its first comparison
    std::vector<Comparison> comparisons_;
    std::vector<HalfSpace> sums_;
};

// The conditions that a proof of a claim about a policy with rules speaks of: the claim's is number 0, those of the
// rules follow, then those of support.
inline constexpr std::size_t of_claim = 0;
inline constexpr std::size_t of_rules = 1;
[[nodiscard]] std::vector<const BoundCondition*> conditions_of(const BoundRule& claim, const BoundRules& rules);

// Which treatments may be prescribed by rules and support, as far as signs are known.
struct AllowedSets {
    TreatmentSet surely = 0;
    TreatmentSet perhaps = 0;
};
// The rules' conditions are those of `sums` from number `first` on.
[[nodiscard]] AllowedSets allowed_sets(const BoundRules& rules, const ComparedSums& sums, std::size_t first,
                                       const ComparedSums::Known& known);

// If HalfSpace::value() has the sign of the real sum for every row of the domain: a number that every value is a
// multiple of, or 0 if there is none to speak of. Nothing if rounding may change the sign.
//   - One term with weight 1 or -1: a sum of two doubles is never rounded to the other side of 0.
//   - Whole numbers with weights and a constant that are multiples of a power of two, and small enough that every
//     partial sum is a double.
[[nodiscard]] std::optional<double> exact_unit(const HalfSpace& sum, const Domain& domain);

}  // namespace polyrx
