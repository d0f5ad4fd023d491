// SPDX-License-Identifier: Apache-2.0
// The domain of a policy's inputs, from the schema, the training rows and overrides by the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// A user's domain for one feature: a range if numeric, otherwise categories or the words for false and true.
struct DomainOverride {
    std::string feature;
    std::optional<double> lower = {};  // may be infinite
    std::optional<double> upper = {};
    std::vector<std::string> categories = {};  // "missing" allows missing cells
};

// Parses "age=18:90", "age=:90" (keeps the lower bound), "age=18:inf", "sex=F", "sex=F|M|missing", "smoker=true". Text
// that can be a range or a category ("time=8:30") is kept as both, and the feature's type decides. Throws a usage
// error.
[[nodiscard]] DomainOverride parse_override(const std::string& text);
[[nodiscard]] std::vector<DomainOverride> parse_overrides(const std::vector<std::string>& texts);

// Numeric inputs lie between their bounds. If all training values were whole, they are whole numbers, with bounds
// rounded inwards. The inputs and the indicator of a category form a group. Indicators of numeric and boolean columns
// are separate 0/1 inputs. Fill values are inside the bounds, so every encoded row that keeps to the features' bounds
// is inside.
//
// Overrides replace the domain of the features that they name. For a categorical feature, they exclude all other
// categories, and missing cells unless "missing" is named. If a category is itself called "missing", the word means the
// category. A missing number or boolean counts as its fill value, so it is outside if the fill value is.
//
// Throws a usage error for an unknown feature, an unknown category, or an empty domain.
[[nodiscard]] Domain domain_of(const Encoder& encoder, const std::vector<DomainOverride>& overrides = {});

// A derived feature that is unbounded on the ranges of its columns has the bounds of the training rows instead. Other
// rows can exceed them, so statements about all rows must mention these bounds or do without.
struct LearnedBounds {
    Eigen::Index input = 0;
    std::size_t feature = 0;
};
[[nodiscard]] std::vector<LearnedBounds> learned_bounds(const Encoder& encoder);
// The same domain with infinite bounds for these features.
[[nodiscard]] Domain without_learned_bounds(const Encoder& encoder, Domain domain);

// Adds fill values to the domain: where an indicator is 1, the input has its fill value.
[[nodiscard]] Domain with_fills(const Encoder& encoder, Domain domain);

}  // namespace polyrx
