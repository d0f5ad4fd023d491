// SPDX-License-Identifier: Apache-2.0
// Describes domains in terms of table columns: ranges, categories, and differences between domains.
#pragma once

#include <string>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// "18 to 90", "from 0", "any number"; with `whole`, "whole numbers from 18 to 90".
[[nodiscard]] std::string range_words(double lower, double upper, bool whole);

// True if the outer domain contains the inner one, by bounds, whole numbers and groups.
[[nodiscard]] bool is_within(const Domain& inner, const Domain& outer);

// Describes `domain` for each feature where it differs from `other`, in order: "age 30 to 31", "sex F or M", "smoker
// true", "weight never missing". Empty only if they are equal.
[[nodiscard]] std::vector<std::string> domain_differences(const Encoder& encoder, const Domain& domain,
                                                          const Domain& other);

}  // namespace polyrx
