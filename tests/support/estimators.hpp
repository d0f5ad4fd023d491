// SPDX-License-Identifier: Apache-2.0
// The estimators of a policy's value, to be tested in turn.
#pragma once

#include <array>

#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx::test {

inline constexpr std::array every_estimator{Estimator::dm, Estimator::ipw, Estimator::snipw, Estimator::dr};
inline constexpr std::array estimators_with_error{Estimator::ipw, Estimator::snipw, Estimator::dr};

}  // namespace polyrx::test
