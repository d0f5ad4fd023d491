// SPDX-License-Identifier: Apache-2.0
// Domains in the words of the table: ranges, categories, and how one domain differs from another.
#pragma once

#include <string>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// "18 to 90", "from 0", "any number"; with `whole`, "whole numbers from 18 to 90".
[[nodiscard]] std::string range_words(double lower, double upper, bool whole);

// Whether every row of the inner domain is one of the outer: by its bounds, whole numbers and groups.
[[nodiscard]] bool is_within(const Domain& inner, const Domain& outer);

// What a domain has of the features in which it is not the other, in their order: "age 30 to 31", "sex F or M", "smoker
// true", "weight never missing". Empty only if they are equal.
[[nodiscard]] std::vector<std::string> domain_differences(const Encoder& encoder, const Domain& domain,
                                                          const Domain& other);

}  // namespace polyrx
