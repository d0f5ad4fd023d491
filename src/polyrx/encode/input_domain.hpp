// SPDX-License-Identifier: Apache-2.0
// The domain of a policy's encoded inputs: what the schema declared or the training rows had, unless the user says
// else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// What a user says of one feature instead: a range of a numeric one, or some categories (or words for false and true).
struct DomainOverride {
    std::string feature;
    std::optional<double> lower = {};  // may be infinite
    std::optional<double> upper = {};
    std::vector<std::string> categories = {};  // "missing": the feature's cell may be missing
};

// "age=18:90", "age=:90" (the lower bound stays), "age=18:inf", "sex=F", "sex=F|M|missing", "smoker=true". What can be
// read both as a range and as a category ("time=8:30") is kept as both; the feature's type decides. Throws a usage
// error.
[[nodiscard]] DomainOverride parse_override(const std::string& text);
[[nodiscard]] std::vector<DomainOverride> parse_overrides(const std::vector<std::string>& texts);

// Numeric inputs lie between their bounds, and are whole numbers if all training values were (the bounds are then
// rounded inwards); a category's inputs and its indicator are a group; indicators of a numeric or boolean column are
// 0/1 inputs of their own. A missing value is filled with a value inside the bounds, so every row of the encoder that
// keeps to the features' bounds is inside.
//
// Overrides say what is inside of the features they name, and nothing of the others. Of a categorical feature the
// categories that are not named are outside, and so are missing cells unless the word "missing" is named; a category
// that is itself called "missing" goes first. A missing number or truth value counts as what fills it, so it is outside
// if that is.
//
// Throws a usage error for an unknown feature, a category that there is not, and a domain without any row.
[[nodiscard]] Domain domain_of(const Encoder& encoder, const std::vector<DomainOverride>& overrides = {});

// Of a derived feature that has no bounds on the ranges of its columns, those of the rows it was learned from are part
// of the domain. Rows beyond them may well exist: who speaks of all rows has to say so, or to do without.
struct LearnedBounds {
    Eigen::Index input = 0;
    std::size_t feature = 0;
};
[[nodiscard]] std::vector<LearnedBounds> learned_bounds(const Encoder& encoder);
// The same domain with bounds beyond any number for these.
[[nodiscard]] Domain without_learned_bounds(const Encoder& encoder, Domain domain);

// What the encoder puts in place of a missing cell, as part of the domain: where an indicator is 1, the value is the
// one that fills it.
[[nodiscard]] Domain with_fills(const Encoder& encoder, Domain domain);

}  // namespace polyrx
