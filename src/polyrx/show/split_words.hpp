// SPDX-License-Identifier: Apache-2.0
// A split in words: "age >= 64 years", "sex is F", "weight - 1.333 egfr + 16.7 smoker > 12.41".
//
// The words say when the split's function is above 0, which is its "yes" side, for the rows of the domain; what the
// domain settles is not repeated, and "always" and "never" are answers.
//
//   one numeric input       age > 63.2 years; a whole number: age >= 64 years; 0 or 1: diabetes = 1
//   one boolean input       smoker, not smoker
//   one group               sex is F, sex is not F, stage is I, II or missing
//   anything else           a weighted sum, the largest term first. A term's size is |weight| times the range of its
//                           input, not |weight|, which is in somebody's units. The sum is divided by the coefficient of
//                           its largest quantity: that input then reads without a number, the threshold is in its
//                           units, and the other coefficients say what one unit of theirs is worth in it. If it was
//                           negative, the inequality turns around. [sex is F] is 1 or 0; of each group, one category
//                           is the reference and has no term, since exactly one of them is 1.
//
// Numbers are rounded for reading, to four digits or a thousandth of the range: nobody computes with words.
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
    std::size_t max_terms = 0;      // then "... (+12 terms)"; 0 for all
    std::optional<Scaling> scaled;  // if given, inputs that it changes are shown as z(age), in deviations from the mean
};

// Throws a data error unless the function, the encoder, the domain and the scaling are of as many inputs.
[[nodiscard]] std::string words_of(const AffineFunction& function, const Encoder& encoder, const Domain& domain,
                                   const WordOptions& options = {});

// The same in the pieces between which a line may break; joined by spaces, they are words_of().
[[nodiscard]] std::vector<std::string> word_pieces(const AffineFunction& function, const Encoder& encoder,
                                                   const Domain& domain, const WordOptions& options = {});

// Where a split comes from: "neuron 3 of layer 1", "5 mg against 10 mg", "a cut of age". Layers and neurons count
// from 1.
[[nodiscard]] std::string origin_words(const SplitOrigin& origin, const Policy& policy);

// A number with so many significant digits, or more if it takes them to tell apart values that differ by `resolution`;
// never with an exponent unless it is very large or very small.
[[nodiscard]] std::string shown_number(double value, int digits, double resolution = 0);

}  // namespace polyrx
