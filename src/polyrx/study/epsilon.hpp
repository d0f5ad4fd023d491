// SPDX-License-Identifier: Apache-2.0
// The thresholds of support: how rare a treatment may be among rows like one, for the data to speak of it.
#pragma once

namespace polyrx {

// A treatment is supported if its propensity is at least epsilon times the largest of the allowed ones.
inline constexpr double default_epsilon = 0.02;

// Only the most likely of the allowed treatments is supported, and what is as likely up to rounding.
inline constexpr double most_likely_epsilon = 0.999;

// Of a known design: a treatment is supported if it was given with at least this probability.
inline constexpr double least_design_probability = 0.001;

// Throws a usage error unless 0 < epsilon < 1.
void check_epsilon(double epsilon);

}  // namespace polyrx
