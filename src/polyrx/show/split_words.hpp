// SPDX-License-Identifier: Apache-2.0
// Describes a split: "age >= 64 years", "sex is F", "weight - 1.333 egfr + 16.7 smoker > 12.41".
//
// The text is true if the split's function is above 0, which is its "yes" side, for rows of the domain. It omits what
// the domain implies; "always" and "never" are possible results.
//
//   one numeric input       age > 63.2 years; a whole number: age >= 64 years; 0 or 1: diabetes = 1
//   one boolean input       smoker, not smoker
//   one group               sex is F, sex is not F, stage is I, II or missing
//   anything else           a weighted sum, the largest term first. The size of a term is |weight| times the range of
//                           its input, because |weight| alone depends on units. The sum is divided by the coefficient
//                           of its largest quantity, which reverses the inequality if it is negative. The threshold
//                           is then in the units of that quantity, and the other coefficients give the worth of one
//                           of their units in it. [sex is F] is 1 or 0; one category of each group is the reference
//                           without a term, because exactly one of them is 1.
//
// Numbers are rounded for reading, to four digits or a thousandth of the range.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct WordOptions {
    std::size_t max_terms = 0;      // more are replaced by "... (+12 terms)"; 0 = no limit
    std::optional<Scaling> scaled;  // shows standardized inputs as z(age), in standard deviations from the mean
};

// Throws a data error unless function, encoder, domain and scaling have the same number of inputs.
[[nodiscard]] std::string words_of(const AffineFunction& function, const Encoder& encoder, const Domain& domain,
                                   const WordOptions& options = {});

// words_of() in pieces between which a line may break; joined by spaces, they are equal.
[[nodiscard]] std::vector<std::string> word_pieces(const AffineFunction& function, const Encoder& encoder,
                                                   const Domain& domain, const WordOptions& options = {});

// The origin of a split: "neuron 3 of layer 1", "5 mg against 10 mg", "a cut of age". Layers and neurons count from 1.
[[nodiscard]] std::string origin_words(const SplitOrigin& origin, const Policy& policy);

// A number with `digits` significant digits, or more if needed to distinguish values that differ by `resolution`. Uses
// an exponent only for very large or very small numbers.
[[nodiscard]] std::string shown_number(double value, int digits, double resolution = 0);

}  // namespace polyrx
