// SPDX-License-Identifier: Apache-2.0
// Resolves the names in rules: features, categories and treatments become inputs and sets of treatments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// The effect of a rule on a row with a missing value that leaves the rule undecided: "perhaps" counts as true (the safe
// choice) or as false.
enum class WhenMissing { apply, skip };

[[nodiscard]] std::string_view name_of(WhenMissing when_missing);

// The derived features that the rules need and the encoder does not have, in this order: those of `let`; expressions
// that are not linear in a comparison ("log(weight)", named by their text); for each column in a condition that has no
// indicator, whether it is missing ("weight is missing"). Their formulas use only columns.
//
// `source` names the rules in messages ("rules.txt"). Throws a data error for unknown names (with the nearest known
// one), for a category compared with a number, and for a `let` with the name of a feature.
[[nodiscard]] std::vector<DerivedFeature> needed_features(const Rules& rules, const Encoder& encoder,
                                                          std::string_view source);

// The encoder must have the derived features that the rules need. Throws like needed_features(), and for unknown
// treatments and rules that allow none.
[[nodiscard]] BoundRules bind_rules(const Rules& rules, const Encoder& encoder,
                                    const std::vector<std::string>& treatments, WhenMissing when_missing,
                                    std::string_view source);

}  // namespace polyrx
