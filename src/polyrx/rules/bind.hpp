// SPDX-License-Identifier: Apache-2.0
// Looks up the names of rules: features, categories and treatments become inputs and sets of treatments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// What a rule does for a row in which a value that it asks for is missing, if the other values leave it open: three
// truth values, of which "perhaps" counts as true (the safe side) or as false.
enum class WhenMissing { apply, skip };

[[nodiscard]] std::string_view name_of(WhenMissing when_missing);

// The derived features that the rules need and the encoder does not have: those of `let`, then whatever is not linear
// in a comparison ("log(weight)", by its text), then for each column in a condition that has no indicator whether it is
// missing ("weight is missing"). Their formulas are of columns only.
//
// `source` names the rules in messages ("rules.txt"). Throws a data error, with the nearest name, for names that there
// are not, for a category among numbers or a number among categories, and for a `let` that is called like a feature.
[[nodiscard]] std::vector<DerivedFeature> needed_features(const Rules& rules, const Encoder& encoder,
                                                          std::string_view source);

// The encoder must have the derived features that the rules need. Throws like needed_features(), and for treatments
// that there are not and rules that allow none.
[[nodiscard]] BoundRules bind_rules(const Rules& rules, const Encoder& encoder,
                                    const std::vector<std::string>& treatments, WhenMissing when_missing,
                                    std::string_view source);

}  // namespace polyrx
