// SPDX-License-Identifier: Apache-2.0
// Draws synthetic rows for the network to label (Craven & Shavlik 1996). Splits deep in the tree then do not depend on
// the few rows of data that arrive there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// Each drawn row combines two random members: every input or group comes from one of them, so the row lies in the
// domain. Row i depends only on the seed, i and the members.
[[nodiscard]] Matrix draw_rows(const Domain& domain, const Matrix& rows, std::span<const Eigen::Index> members,
                               std::size_t count, std::uint64_t seed);

}  // namespace polyrx
