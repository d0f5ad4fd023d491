// SPDX-License-Identifier: Apache-2.0
// Thresholds for support: the smallest propensity at which a treatment counts as supported for a row.
#pragma once

namespace polyrx {

// A treatment is supported if its propensity is at least epsilon times the largest propensity of an allowed treatment.
inline constexpr double default_epsilon = 0.02;

// Supports only the most likely of the allowed treatments, and ties up to rounding.
inline constexpr double most_likely_epsilon = 0.999;

// With a known design, a treatment is supported if its propensity is at least this.
inline constexpr double least_design_probability = 0.001;

// Throws a usage error unless 0 < epsilon < 1.
void check_epsilon(double epsilon);

}  // namespace polyrx
